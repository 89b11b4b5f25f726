import { describe, expect, it } from "vitest";
import {
  createToolContext,
  createTools,
  currentToolContext,
  read,
  runWithToolContext,
} from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

describe("the tool context", () => {
  it("follows the work started in it through awaits and timers", async () => {
    const context = createToolContext();
    const seen = await runWithToolContext(context, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return currentToolContext();
    });
    expect(seen).toBe(context);
    expect(currentToolContext()).toBeUndefined();
  });

  it("keeps tasks that run side by side apart", async () => {
    const roots = await Promise.all(["left", "right"].map((side) => workspace({ "side.txt": side })));
    const texts = await Promise.all(
      roots.map((rootDir) =>
        runWithToolContext(createToolContext({ rootDir }), () => read.execute({ path: "side.txt" })),
      ),
    );
    expect(texts).toEqual(["left", "right"]);
  });

  it("denies the network and bounds output and time by default", () => {
    const { allowNetwork, maxOutputBytes, toolTimeoutMs, rootDir } = createToolContext();
    expect({ allowNetwork, maxOutputBytes, toolTimeoutMs, rootDir }).toEqual({
      allowNetwork: false,
      maxOutputBytes: 200_000,
      toolTimeoutMs: 60_000,
      rootDir: process.cwd(),
    });
  });

  it("lets a tool outside of any task work in the current folder", async () => {
    expect(await read.execute({ path: "package.json" })).toContain('"name": "treadle"');
    await expect(read.execute({ path: "../.." })).rejects.toMatchObject({ code: "TOOL_PATH_ESCAPE" });
  });

  it("binds tools made for one context to it, wherever they are called", async () => {
    const [bound, surrounding] = [await workspace({ f: "bound" }), await workspace({ f: "surrounding" })];
    const tools = createTools({ rootDir: bound });
    const text = await runWithToolContext(createToolContext({ rootDir: surrounding }), () =>
      tools.read.execute({ path: "f" }),
    );
    expect(text).toBe("bound");
  });

  it.each([0, -1, Number.NaN])("refuses %d as a limit", (limit) => {
    expect(() => createToolContext({ maxOutputBytes: limit })).toThrow(
      "Option maxOutputBytes: expected a number above 0",
    );
    expect(() => createToolContext({ toolTimeoutMs: limit })).toThrow(
      "Option toolTimeoutMs: expected a number above 0",
    );
  });
});
