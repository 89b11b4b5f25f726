import { describe, expect, it } from "vitest";
import { framesText, userFrames } from "../../src/errors/user-frames.js";

const HERE = new URL("../..", import.meta.url).pathname;

function withStack(message: string, ...frames: string[]): Error {
  return Object.assign(new Error(message), { stack: [`Error: ${message}`, ...frames].join("\n") });
}

const text = (error: Error, root = "/work") => framesText(userFrames(error, root));

describe("the user's frames of a stack", () => {
  it("tell file, line, column and the function, where it has a name", () => {
    const error = withStack(
      "boom",
      "    at charge (/work/flow.tsx:12:3)",
      "    at async file:///work/lib/my%20part.ts:4:5",
      "    at new Bill (/work/lib/(group)/bill.ts:6:7)",
    );
    expect(userFrames(error, "/work")).toEqual([
      { file: "flow.tsx", line: 12, column: 3, function: "charge" },
      { file: "lib/my part.ts", line: 4, column: 5 },
      { file: "lib/(group)/bill.ts", line: 6, column: 7, function: "new Bill" },
    ]);
  });

  it("leave out packages, Node, this library and code that is in no file", () => {
    const error = withStack(
      "boom",
      "    at parse (/work/node_modules/pack/index.js:1:2)",
      "    at JSON.parse (<anonymous>)",
      "    at eval (eval at run (/work/flow.tsx:1:2), <anonymous>:1:1)",
      "    at async Promise.all (index 0)",
      `    at storeRow (${HERE}src/store/lazy-object.ts:1:2)`,
      `    at jsx (${HERE}jsx-runtime/jsx.ts:1:2)`,
      "    at node:internal/process/task_queues:95:5",
      "    at run (/work/flow.tsx:1:2)",
    );
    expect(text(error)).toBe("at run (flow.tsx:1:2)");
  });

  it.each([
    ["tasks", "src/engine/attempt/stages.ts"],
    ["components", "src/renderer/render-tree.ts"],
    ["tasks, once built", "dist/src/engine/attempt/stages.js"],
  ])("end where the library has called %s: the rest is the program that started the run", (_, file) => {
    const error = withStack(
      "boom",
      `    at heartbeat (${HERE}src/engine/attempt/local-dispatcher.ts:1:2)`,
      "    at work (/work/flow.tsx:1:2)",
      `    at call (${HERE}${file}:1:2)`,
      "    at async main (/work/program.ts:9:9)",
    );
    expect(text(error)).toBe("at work (flow.tsx:1:2)");
  });

  it("are not taken from the lines of the message", () => {
    const error = withStack("lines\n    at forged (/work/other.ts:1:1)", "    at work (/work/flow.tsx:1:2)");
    expect(text(error)).toBe("at work (flow.tsx:1:2)");
  });

  it("name files beside the root by the way there", () => {
    expect(text(withStack("boom", "    at /shared/part.ts:1:2"), "/work/app")).toBe(
      "at ../../shared/part.ts:1:2",
    );
  });

  it("are at most 20 and stay below 8 KB, however long the names are", () => {
    const long = "n".repeat(1_000);
    const frames = Array.from({ length: 60 }, () => `    at ${long} (/work/${long}/flow.tsx:1:2)`);
    const kept = userFrames(withStack("boom", ...frames), "/work");
    expect(kept).toHaveLength(20);
    expect(kept[0]?.file).toMatch(/flow\.tsx$/);
    expect(Buffer.byteLength(framesText(kept))).toBeLessThan(8 * 1024 + 512);
  });

  it("are read again from what was stored", () => {
    const error = withStack("boom", "    at work (/work/a (b)/flow.tsx:1:2)", "    at /work/flow.tsx:3:4");
    const stored = text(error);
    const again = withStack("boom", ...stored.split("\n").map((line) => `    ${line}`));
    expect(text(again, "/elsewhere")).toBe(stored);
  });

  it("are none where the stack is not text", () => {
    expect(userFrames(Object.assign(new Error("x"), { stack: [1, 2] }), "/work")).toEqual([]);
    expect(userFrames(Object.assign(new Error("x"), { stack: undefined }), "/work")).toEqual([]);
    expect(text(withStack("x", "    at run (file:///work/%E0%A4%A.ts:1:2)"))).toBe("");
  });
});
