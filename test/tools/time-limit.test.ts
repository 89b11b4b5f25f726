import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolContext, defineTool, runWithToolContext } from "../../src/tools/index.js";
import { deferred } from "../../src/util/deferred.js";
import { manualClock } from "./support/manual-clock.js";

function slowTool() {
  const started = deferred<AbortSignal>();
  const answer = deferred<string>();
  const tool = defineTool({
    name: "slow",
    schema: z.object({}),
    execute(_, { signal }) {
      started.resolve(signal);
      return answer.promise;
    },
  });
  return { tool, started: started.promise, answer };
}

describe("the time limit of a tool call", () => {
  it("ends a call that ignores its signal, and names tool and limit", async () => {
    const clock = manualClock();
    const { tool, started } = slowTool();
    const context = createToolContext({ toolTimeoutMs: 5_000, clock });
    const call = runWithToolContext(context, () => tool.execute({}));
    const signal = await started;
    clock.advance(5_000);
    await expect(call).rejects.toMatchObject({
      code: "TOOL_TIMEOUT",
      summary: "Tool slow ran longer than 5000 ms.",
      details: { toolName: "slow", timeoutMs: 5_000 },
    });
    expect(signal.aborted).toBe(true);
  });

  it("leaves a call alone that answers a millisecond earlier", async () => {
    const clock = manualClock();
    const { tool, started, answer } = slowTool();
    const context = createToolContext({ toolTimeoutMs: 5_000, clock });
    const call = runWithToolContext(context, () => tool.execute({}));
    const signal = await started;
    clock.advance(4_999);
    answer.resolve("in time");
    expect(await call).toBe("in time");
    clock.advance(1);
    expect(signal.aborted).toBe(false);
  });
});

describe("the abort of a tool call", () => {
  it.each(["task", "generation"] as const)("comes with the signal of the %s", async (source) => {
    const { tool, started } = slowTool();
    const controller = new AbortController();
    const context = createToolContext(source === "task" ? { signal: controller.signal } : {});
    const options = source === "generation" ? { abortSignal: controller.signal } : {};
    const call = runWithToolContext(context, () => tool.execute({}, options));
    const signal = await started;
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "TASK_ABORTED" });
    expect(signal.aborted).toBe(true);
  });

  it("does not begin a call of a task that has ended", async () => {
    const { tool, started } = slowTool();
    const context = createToolContext({ signal: AbortSignal.abort() });
    const call = runWithToolContext(context, () => tool.execute({}));
    await expect(call).rejects.toMatchObject({ code: "TASK_ABORTED" });
    const first = await Promise.race([started.then(() => "started"), call.catch(() => "refused")]);
    expect(first).toBe("refused");
  });
});
