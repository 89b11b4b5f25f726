import type { ReactNode } from "react";
import { type AgentLike, createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService({ note: z.object({ text: z.string() }), decision: z.looseObject({}) });
const { Workflow, Sequence, Task, Approval, HumanTask, Signal, WaitForEvent, Timer, Aspects } = api;
const { service, outputs } = api;

const spending = (tokens: number): AgentLike => ({
  generate: async () => ({ output: { text: "x" }, usage: { inputTokens: tokens, outputTokens: 0 } }),
});

/** A task that goes over the budget, then `rest`. */
const overBudget = (onExceeded: "fail" | "skip-remaining", rest: ReactNode) =>
  testWorkflow(
    service(() => (
      <Workflow name="budgets">
        <Aspects tokenBudget={{ max: 10, onExceeded }}>
          <Sequence>
            <Task id="spend" output={outputs.note} agent={spending(50)}>
              Spend.
            </Task>
            {rest}
          </Sequence>
        </Aspects>
      </Workflow>
    )),
  );

const waits: [string, ReactNode, (test: WorkflowTest) => Promise<unknown>][] = [
  [
    "an Approval",
    <Approval key="w" id="w" output={outputs.decision} request={{ title: "Ship?" }} />,
    (test) => test.approve("w"),
  ],
  [
    "a HumanTask",
    <HumanTask key="w" id="w" output={outputs.note} prompt="Say it." />,
    (test) => test.approve("w", { data: { text: "said" } }),
  ],
  ["a Signal", <Signal key="w" id="w" schema={outputs.note} />, (test) => test.signal("w", { text: "x" })],
  [
    "a WaitForEvent",
    <WaitForEvent key="w" id="w" event="w" output={outputs.note} />,
    (test) => test.signal("w", { text: "x" }),
  ],
  ["a Timer", <Timer key="w" id="w" duration="1h" />, (test) => test.advance("1h")],
];

describe("a used-up budget", () => {
  it.each(waits)("lets %s end, which spends nothing", async (_name, tree, end) => {
    for (const action of ["fail", "skip-remaining"] as const) {
      const test = overBudget(action, tree);
      await test.run();
      await end(test);
      expect(test.result.status).toBe("finished");
      expect((await test.tasks()).map(({ nodeId, state }) => [nodeId, state])).toEqual([
        ["spend", "finished"],
        ["w", "finished"],
      ]);
    }
  });

  it("refuses what follows a decision", async () => {
    const test = overBudget("skip-remaining", [
      waits[0]?.[1],
      <Task key="after" id="after" output={outputs.note}>
        {{ text: "after" }}
      </Task>,
    ]);
    await test.run();
    await test.approve("w");
    expect((await test.tasks()).map(({ state }) => state)).toEqual(["skipped", "finished", "finished"]);
  });

  it("refuses a task with needsApproval after the decision", async () => {
    const test = overBudget(
      "skip-remaining",
      <Task id="gated" output={outputs.note} needsApproval>
        {{ text: "gated" }}
      </Task>,
    );
    expect((await test.run()).status).toBe("waiting-approval");
    await test.approve("gated");
    expect((await test.tasks()).map(({ state }) => state)).toEqual(["skipped", "finished"]);
  });
});
