import { Fragment } from "react";
import { describe, expect, it } from "vitest";
import { contentKind } from "../../src/model/content-kind.js";

describe("contentKind", () => {
  it.each([
    ["none", undefined],
    ["none", null],
    ["none", false],
    ["none", []],
    ["none", [null, false]],
    ["function", () => 1],
    ["text", "hello"],
    ["text", ""],
    ["text", 0],
    ["text", 5n],
    ["text", ["Hello ", 3, null]],
    ["value", { a: 1 }],
    ["value", [{ a: 1 }]],
    ["value", ["a", { a: 1 }]],
    ["value", new Date(0)],
    ["elements", <p key="p">x</p>],
    ["elements", ["text", <p key="p">x</p>]],
    ["elements", [["nested", [<p key="p">x</p>]]]],
    ["elements", <Fragment key="f" />],
    ["elements", new Set(["iterable"])],
    ["elements", Promise.resolve("thenable")],
  ])("is %s for %o", (kind, children) => {
    expect(contentKind(children)).toBe(kind);
  });
});
