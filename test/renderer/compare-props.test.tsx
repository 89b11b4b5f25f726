import { describe, expect, it } from "vitest";
import { compareProps } from "../../src/renderer/compare-props.js";

const compute = () => 1;

describe("compareProps", () => {
  it.each([
    ["equal props", { id: "a" }, { id: "a" }],
    [
      "lists and objects of equal content",
      { dependsOn: ["a"], meta: { n: 1 } },
      { dependsOn: ["a"], meta: { n: 1 } },
    ],
    ["a prop that becomes undefined instead of absent", { id: "a" }, { id: "a", label: undefined }],
    ["child elements, which tell of their own changes", { children: <p>a</p> }, { children: <p>b</p> }],
  ])("finds nothing changed in %s", (_name, before, after) => {
    expect(compareProps(before, after)).toBe("none");
  });

  it.each([
    ["function", { children: () => 1 }, { children: () => 1 }],
    ["row", { children: { n: 1 } }, { children: { n: 2 } }],
    ["text", { children: "a" }, { children: ["a", 1] }],
  ])("calls a new %s between the tags content", (_name, before, after) => {
    expect(compareProps({ id: "a", ...before }, { id: "a", ...after })).toBe("content");
  });

  it("calls other words on a label content", () => {
    expect(compareProps({ id: "a", label: "1 done" }, { id: "a", label: "2 done" })).toBe("content");
  });

  it.each([
    ["another value", { id: "a" }, { id: "b" }],
    ["a new prop", {}, { label: "x" }],
    ["a prop that is gone", { label: "x" }, {}],
    ["another list", { dependsOn: ["a"] }, { dependsOn: ["a", "b"] }],
    ["another function in a prop", { cache: { by: compute } }, { cache: { by: () => 1 } }],
    ["content of another kind", { children: "text" }, { children: () => "text" }],
    ["elements instead of text", { children: "text" }, { children: <p>text</p> }],
  ])("calls %s structure", (_name, before, after) => {
    expect(compareProps(before, after)).toBe("structure");
  });

  it("lets structure win over content", () => {
    expect(compareProps({ children: () => 1, retries: 1 }, { children: () => 1, retries: 2 })).toBe(
      "structure",
    );
  });
});
