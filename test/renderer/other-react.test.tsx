import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { useState } from "react";
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

  it("is named when a component uses a hook of it", () => {
    // That copy's own complaint.
    vi.spyOn(console, "error").mockImplementation(() => {});
    function Counter() {
      const [count] = OTHER.useState(0);
      return <p>{count}</p>;
    }
    expect(() => createTreeRenderer().render(<Counter />)).toThrow(
      expect.objectContaining({
        code: "REACT_UNSUPPORTED",
        message: expect.stringMatching(/in Counter.*another copy of React/),
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
