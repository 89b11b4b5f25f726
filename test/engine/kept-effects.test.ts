import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { effectJournal, MOST_EFFECT_BYTES } from "../../src/engine/tasks/tool-effects.js";
import type { ToolEffect } from "../../src/model/tool-effect.js";
import { defineTool } from "../../src/tools/define-tool.js";
import {
  createToolContext,
  runWithToolContext,
  type ToolContextOptions,
} from "../../src/tools/tool-context.js";
import { type Clock, systemClock } from "../../src/util/clock.js";
import { deferred } from "../../src/util/deferred.js";

afterEach(() => {
  delete process.env["SHOP_API_KEY"];
});

/** Calls a tool that can be undone, and gives what the journal has kept. */
async function kept(args: unknown, result?: unknown) {
  const effects: ToolEffect[] = [];
  const journal = effectJournal({ nodeId: "pay", iteration: 0, attempt: 1 }, (effect) =>
    effects.push(effect),
  );
  const calls: unknown[] = [];
  const tool = defineTool({
    name: "charge",
    schema: z.unknown(),
    sideEffect: true,
    execute(given) {
      calls.push(given);
      return result;
    },
    revert() {},
  });
  const error = await runWithToolContext(createToolContext({ onEffect: journal }), () =>
    tool.execute(args).then(
      () => null,
      (thrown: unknown) => thrown,
    ),
  );
  return { effects, calls, error };
}

it("keeps a call as it begins, and again with its result", async () => {
  const { effects } = await kept({ cents: 1 }, { id: 7n });
  expect(effects).toMatchObject([
    { callNo: 1, toolName: "charge", argsJson: '{"cents":1}', resultJson: null, outcome: "unknown" },
    { callNo: 1, argsJson: '{"cents":1}', resultJson: '{"id":{"$bigint":"7"}}', outcome: "done" },
  ]);
});

it.each([
  ["too long", "x".repeat(MOST_EFFECT_BYTES)],
  ["no data", { callback: () => {} }],
])("refuses arguments that are %s before the call is made", async (_what, args) => {
  const { effects, calls, error } = await kept(args);
  expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining("was not made") });
  expect({ effects, calls }).toEqual({ effects: [], calls: [] });
});

it("keeps a call without its result where that is too long", async () => {
  const { effects, error } = await kept(1, "x".repeat(MOST_EFFECT_BYTES));
  expect(error).toBeNull();
  expect(effects[1]).toMatchObject({ outcome: "done", resultJson: null });
});

it("keeps no secret that the environment names", async () => {
  process.env["SHOP_API_KEY"] = "sesame-4711-sesame";
  const { effects } = await kept({ key: "sesame-4711-sesame" }, "sesame-4711-sesame");
  expect(JSON.stringify(effects)).not.toContain("4711");
});

describe("a call that may change something outside", () => {
  /** A call that waits for what is reported to be kept, and whether it was made. */
  function waiting(sideEffect: boolean, more: Pick<ToolContextOptions, "signal" | "clock"> = {}) {
    const kept = deferred<void>();
    const steps: string[] = [];
    const tool = defineTool({
      name: "charge",
      schema: z.unknown(),
      sideEffect,
      execute: () => void steps.push("made"),
    });
    const context = createToolContext({
      onToolStart: () => void steps.push("reported"),
      beforeEffect: () => kept.promise,
      ...more,
    });
    const ended = runWithToolContext(context, () => tool.execute(1));
    return { kept, steps, ended };
  }

  it("is made once its report is kept", async () => {
    const { kept, steps, ended } = waiting(true);
    await setImmediate();
    expect(steps).toEqual(["reported"]);
    kept.resolve();
    await ended;
    expect(steps).toEqual(["reported", "made"]);
  });

  it("is not made when its task ends before that", async () => {
    const abort = new AbortController();
    const { kept, steps, ended } = waiting(true, { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(ended).rejects.toMatchObject({ code: "TASK_ABORTED" });
    kept.resolve();
    await setImmediate();
    expect(steps).toEqual(["reported"]);
  });

  it("has its time from then on", async () => {
    const delays: number[] = [];
    const setDelay: Clock["setDelay"] = (ms) => {
      delays.push(ms);
      return () => {};
    };
    const clock: Clock = { ...systemClock, setDelay };
    const { kept, ended } = waiting(true, { clock });
    await setImmediate();
    expect(delays).toEqual([]);
    kept.resolve();
    await ended;
    expect(delays).toEqual([60_000]);
  });

  it("is alone in that: others are made at once", async () => {
    const { steps, ended } = waiting(false);
    await ended;
    expect(steps).toEqual(["reported", "made"]);
  });
});
