import { describe, expect, it } from "vitest";
import type { SandboxProvider, SandboxResult } from "../../../src/model/sandbox-provider.js";
import { sandboxedRun } from "../../support/sandboxed-run.js";

const giving = (result: unknown): SandboxProvider => ({
  id: "giving",
  run: () => Promise.resolve(result as SandboxResult),
});

let deep: unknown = 1;
for (let level = 0; level < 17; level += 1) deep = { deep };

describe("the result of a sandbox", () => {
  it.each([
    ["a long text", { text: "x".repeat(65_537) }, "output.text has 65537 bytes; at most 65536"],
    ["a long list", { text: "", list: new Array(513).fill(1) }, "output.list has 513 entries; at most 512"],
    ["many levels", { text: "", deep }, "nested too deep"],
    [
      "many texts",
      {
        text: "",
        ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, "x".repeat(60_000)])),
      },
      "bytes as JSON; at most 5242880",
    ],
  ])("is refused for %s", async (_, output, message) => {
    const { run } = sandboxedRun({}, { provider: giving({ status: "finished", output }) });
    expect(await run()).toMatchObject({
      status: "failed",
      error: {
        code: "SANDBOX_BUNDLE_TOO_LARGE",
        message: expect.stringContaining(message) as string,
      },
    });
  });

  it.each([
    ["nothing", undefined],
    ["another status", { status: "done" }],
    ["a long id", { status: "finished", runId: "x".repeat(257) }],
    ["a field that would do nothing", { status: "finished", exitCode: 0 }],
    ["patches of another form", { status: "finished", diffBundle: { seq: 1, baseRef: "x", patches: [{}] } }],
    [
      "a part of a patch that would not be put in place",
      {
        status: "finished",
        diffBundle: {
          seq: 1,
          baseRef: "x",
          patches: [{ path: "a", operation: "add", diff: "", mode: "100755" }],
        },
      },
    ],
  ])("is refused when it is, or has, %s", async (_, result) => {
    const { run } = sandboxedRun({}, { provider: giving(result) });
    expect(await run()).toMatchObject({ status: "failed", error: { code: "SANDBOX_BUNDLE_INVALID" } });
  });
});

it.each([
  [false, 1],
  [true, 3],
  [undefined, 3],
])("a failed result with retryable %s is had of %i attempts", async (retryable, attempts) => {
  let count = 0;
  const provider: SandboxProvider = {
    id: "failing",
    run() {
      count += 1;
      return Promise.resolve({
        status: "failed",
        error: "no",
        ...(retryable !== undefined && { retryable }),
      });
    },
  };
  const retryPolicy = { initialDelayMs: 0 };
  const { run } = sandboxedRun({}, { provider, retries: 2, retryPolicy });
  expect(await run()).toMatchObject({ status: "failed", error: { code: "SANDBOX_EXECUTION_FAILED" } });
  expect(count).toBe(attempts);
});

it("an input that is too large is refused before anything runs", async () => {
  const input = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, "x".repeat(60_000)]));
  const provider = { id: "never", run: () => Promise.reject(new Error("ran")) };
  const { run } = sandboxedRun({}, { provider, input: input as never });
  expect(await run()).toMatchObject({ status: "failed", error: { code: "SANDBOX_BUNDLE_TOO_LARGE" } });
});

it("a sandbox gives a sign of life at each of its stages", async () => {
  const { run, events } = sandboxedRun(
    {},
    { provider: giving({ status: "finished", output: { text: "" } }) },
  );
  await run();
  const stages = events.flatMap((event) => (event.type === "SandboxHeartbeat" ? [event.progress] : []));
  expect(stages).toEqual([0, 0.1, 0.25, 0.4, 0.7, 0.85, 1]);
});
