import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { useEffect, useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { checkReact } from "../../src/renderer/react-version.js";
import { createTreeRenderer } from "../../src/renderer/render-tree.js";

const OTHER = createRequire(import.meta.url)("react-oldest") as { useState: typeof useState };

describe("a React that is not the library's", () => {
  it.each(["18.3.1", "19.2.9", "20.0.0"])("is refused at start: %s", (version) => {
    expect(() => checkReact(version)).toThrow(
      expect.objectContaining({ code: "REACT_UNSUPPORTED", message: expect.stringContaining(version) }),
    );
  });

  it("is accepted within the range that package.json promises", () => {
    const { peerDependencies } = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    );
    expect(peerDependencies.react).toBe("^19.3.0");
    for (const version of ["19.3.0", "19.3.1", "19.9.2"]) expect(() => checkReact(version)).not.toThrow();
  });

  it("is named, with both copies and nothing else on the console, when a component uses a hook of it", () => {
    const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
    const folderOf = (name: string) => dirname(createRequire(import.meta.url).resolve(name));
    function Counter() {
      console.error("said by the component");
      const [count] = OTHER.useState(0);
      return <p>{count}</p>;
    }
    expect(() => createTreeRenderer().render(<Counter />)).toThrow(
      expect.objectContaining({
        code: "REACT_UNSUPPORTED",
        message: expect.stringMatching(/in Counter: `useState` is of another copy of React/),
        details: { componentStack: ["Counter"], copies: [folderOf("react"), folderOf("react-oldest")] },
      }),
    );
    expect(new Set(complaint.mock.calls.flat())).toEqual(new Set(["said by the component"]));
    expect(console.error).toBe(complaint);
  });

  it("is not blamed for a hook of the library's own that is called in an effect", () => {
    function Counter() {
      useEffect(() => void useState(0));
      return null;
    }
    expect(() => createTreeRenderer().render(<Counter />)).toThrow(
      expect.objectContaining({
        code: "WORKFLOW_RENDER_FAILED",
        message: expect.stringContaining("a hook was called outside of a component"),
      }),
    );
  });

  it("is named when it made the elements", () => {
    const element = { $$typeof: Symbol.for("react.element"), type: "p", key: null, props: {} };
    expect(() => createTreeRenderer().render(element as never)).toThrow(
      expect.objectContaining({ code: "REACT_UNSUPPORTED" }),
    );
  });
});
