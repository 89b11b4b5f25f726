import { type AgentLike, createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Sequence, Loop, Task, Aspects, service, outputs } = createService({
  note: z.object({ text: z.string() }),
});

/** Spends 40 tokens with each answer; the first `failing` of them do not fit. */
function agent(failing = 0): AgentLike {
  let calls = 0;
  return {
    supportsNativeStructuredOutput: true,
    async generate() {
      calls += 1;
      const output = calls <= failing ? { wrong: true } : { text: "x" };
      return { output, usage: { inputTokens: 30, outputTokens: 10 } };
    },
  };
}

const excesses = async (test: WorkflowTest) =>
  (await test.events()).flatMap(({ event }) =>
    event.type === "BudgetExceeded" ? [[event.nodeId, event.limit, event.current, event.action]] : [],
  );
const states = async (test: WorkflowTest) =>
  Object.fromEntries((await test.tasks()).map(({ nodeId, state }) => [nodeId, state]));

type OnExceeded = "fail" | "warn" | "skip-remaining";

/** One task that asks, then one that does not. */
const asking = (
  onExceeded: OnExceeded,
  {
    asked = agent(),
    perTask = 39,
    tracking = {},
  }: { asked?: AgentLike; perTask?: number; tracking?: object } = {},
) =>
  testWorkflow(
    service(() => (
      <Workflow name="asking">
        <Aspects tokenBudget={{ perTask, onExceeded }} tracking={tracking}>
          <Sequence>
            <Task
              id="ask"
              output={outputs.note}
              agent={asked}
              maxSchemaRetries={0}
              retries={2}
              retryPolicy={{}}
            >
              Ask.
            </Task>
            <Task id="after" output={outputs.note}>
              {{ text: "after" }}
            </Task>
          </Sequence>
        </Aspects>
      </Workflow>
    )),
  );

describe("a budget per task", () => {
  it("is for each iteration of a loop by itself", async () => {
    const asked = agent();
    const test = testWorkflow(
      service(() => (
        <Workflow name="rounds">
          <Aspects tokenBudget={{ perTask: 50 }}>
            <Loop id="rounds" maxIterations={3}>
              <Task id="ask" output={outputs.note} agent={asked} retries={0}>
                Ask.
              </Task>
            </Loop>
          </Aspects>
        </Workflow>
      )),
    );
    expect((await test.run()).status).toBe("finished");
    expect(await excesses(test)).toEqual([]);
  });

  it("counts all attempts, and lets none follow that is over it", async () => {
    const test = asking("fail", { asked: agent(2), perTask: 79 });
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
    expect(await excesses(test)).toEqual([["ask", 79, 80, "fail"]]);
  });

  it("with skip-remaining keeps the row and skips what comes after", async () => {
    const test = asking("skip-remaining");
    expect((await test.run()).status).toBe("finished");
    expect(await states(test)).toEqual({ ask: "finished", after: "skipped" });
  });

  it("with skip-remaining skips the next attempt of the task itself", async () => {
    const test = asking("skip-remaining", { asked: agent(1) });
    expect((await test.run()).status).toBe("finished");
    expect(await states(test)).toEqual({ ask: "skipped", after: "skipped" });
  });

  it("with warn only says so", async () => {
    const test = asking("warn");
    expect((await test.run()).status).toBe("finished");
    expect(await states(test)).toEqual({ ask: "finished", after: "finished" });
    expect(await excesses(test)).toEqual([["ask", 39, 40, "warn"]]);
  });

  it("holds without tracking, which only leaves the events out", async () => {
    const test = asking("fail", { tracking: { tokens: false } });
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
    expect(await excesses(test)).toEqual([]);
  });
});
