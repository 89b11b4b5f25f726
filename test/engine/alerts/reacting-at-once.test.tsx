import type { ReactNode } from "react";
import { type AgentLike, type AlertReaction, createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, Parallel, Sequence, TryCatchFinally, Loop, Aspects, Task, service, outputs } =
  createService({
    note: z.object({ text: z.string() }),
  });

const step = (id: string) => (
  <Task key={id} id={id} output={outputs.note}>
    {{ text: id }}
  </Task>
);
const failing = (props: { continueOnFail?: boolean; retries?: number } = {}) => (
  <Task key="fail" id="fail" output={outputs.note} retries={0} {...props}>
    {() => Promise.reject(new Error("no"))}
  </Task>
);
const spender: AgentLike = {
  generate: async () => ({ output: { text: "x" }, usage: { inputTokens: 50, outputTokens: 0 } }),
};

const watched = (rule: string, reaction: Exclude<AlertReaction["kind"], "deliver">, tree: ReactNode) =>
  testWorkflow(
    service(() => <Workflow name="w">{tree}</Workflow>, { alertPolicy: { rules: { [rule]: { reaction } } } }),
    { options: { maxConcurrency: 1 } },
  );

const started = async (test: ReturnType<typeof testWorkflow>) =>
  (await test.events()).flatMap(({ event }) => (event.type === "NodeStarted" ? [event.nodeId] : []));

const trees: [string, string, ReactNode][] = [
  [
    "after the failed task",
    "task-failed",
    <Sequence key="s">
      {failing({ continueOnFail: true })}
      {step("next")}
    </Sequence>,
  ],
  [
    "that waited for its slot",
    "task-failed",
    <Parallel key="p">
      {failing({ continueOnFail: true })}
      {step("next")}
    </Parallel>,
  ],
  ["in its catch part", "task-failed", <TryCatchFinally key="t" try={failing()} catch={step("next")} />],
  [
    "beside a task that is tried again",
    "task-retrying",
    <Parallel key="p">
      {failing({ retries: 1 })}
      {step("next")}
    </Parallel>,
  ],
  [
    "after an exhausted loop",
    "loop-exhausted",
    <Sequence key="s">
      <Loop id="l" until={false} maxIterations={1}>
        {step("fail")}
      </Loop>
      {step("next")}
    </Sequence>,
  ],
  [
    "after a task that a budget refuses",
    "budget-exceeded",
    <Sequence key="s">
      <Aspects tokenBudget={{ perTask: 10, onExceeded: "warn" }}>
        <Task id="fail" output={outputs.note} agent={spender}>
          Spend.
        </Task>
      </Aspects>
      {step("next")}
    </Sequence>,
  ],
];

describe("nothing new starts once an alert pauses the run", () => {
  it.each(trees)("%s", async (_name, rule, tree) => {
    const test = watched(rule, "pause", tree);
    expect((await test.run()).status).toBe("waiting-event");
    expect(await started(test)).toEqual(["fail"]);
    await test.resume();
    await test.advance("1h");
    expect((await started(test)).includes("next")).toBe(true);
  });
});

it("nothing new starts once an alert asks whether the run may continue", async () => {
  const test = watched("task-failed", "open-approval", trees[0]?.[2]);
  expect((await test.run()).status).toBe("waiting-approval");
  expect(await started(test)).toEqual(["fail"]);
  expect((await test.approve("alert:task-failed:fail")).status).toBe("finished");
});

it("nothing new starts once an alert cancels the run", async () => {
  const test = watched("task-failed", "cancel", trees[0]?.[2]);
  expect((await test.run()).status).toBe("cancelled");
  expect(await started(test)).toEqual(["fail"]);
});
