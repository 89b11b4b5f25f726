import { expect, it } from "vitest";
import { elementName } from "../../src/model/element-name.js";

it("An element that stands for a part or a mode of another is called what its author has written", () => {
  expect(elementName({ tag: "InlineSubflow", props: { id: "sub" } })).toBe('<Subflow id="sub">');
  expect(elementName({ tag: "CatchPart", props: {} })).toBe("<TryCatchFinally>");
  expect(elementName({ tag: "Workflow", props: { name: "w" } })).toBe('<Workflow name="w">');
});
