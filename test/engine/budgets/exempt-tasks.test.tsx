import type { ReactNode } from "react";
import { type AgentLike, createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService({
  note: z.object({ text: z.string() }),
  vote: z.object({ vote: z.string() }),
  verdict: z.looseObject({}),
  output: z.object({ text: z.string() }),
});
const { Workflow, Sequence, Parallel, Task, Aspects, Saga, SagaStep, TryCatchFinally, Panel, CheckSuite } =
  api;
const { service, outputs } = api;

const paid = (output: object): AgentLike => ({
  generate: async () => ({ output, usage: { inputTokens: 60, outputTokens: 0 } }),
});
const agent = paid({ text: "x" });
const spend = (id: string) => (
  <Task key={id} id={id} output={outputs.note} agent={agent} retries={0}>
    Spend.
  </Task>
);
const free = (id: string) => (
  <Task key={id} id={id} output={outputs.note} retries={0}>
    {{ text: id }}
  </Task>
);
const fail = (id: string) => (
  <Task key={id} id={id} output={outputs.note} retries={0}>
    {() => Promise.reject(new Error("no"))}
  </Task>
);

type OnExceeded = "fail" | "skip-remaining";
const inBudget = (onExceeded: OnExceeded, max: number, tree: ReactNode) =>
  testWorkflow(
    service(() => (
      <Workflow name="budgets">
        <Aspects id="budget" tokenBudget={{ max, onExceeded }}>
          {tree as never}
        </Aspects>
      </Workflow>
    )),
  );
const statesOf = async (test: WorkflowTest) =>
  Object.fromEntries((await test.tasks()).map(({ nodeId, state }) => [nodeId, state]));

const step = (id: string, action: ReactNode, compensation: ReactNode = spend(`undo-${id}`)) => (
  <SagaStep key={id} id={id} compensation={compensation as never}>
    {action as never}
  </SagaStep>
);

describe("a saga that uses up its budget", () => {
  it.each(["fail", "skip-remaining"] as const)("is undone whole with %s, whatever that costs", async (on) => {
    const test = inBudget(
      on,
      100,
      <Saga>
        {step("a", spend("do-a"))}
        {step("b", spend("do-b"), <Parallel>{[spend("undo-b"), free("log-b")]}</Parallel>)}
        {step("c", spend("do-c"))}
      </Saga>,
    );
    expect(await test.run()).toMatchObject({ status: "finished", failedChildKeys: ["do-c::0"] });
    expect(await statesOf(test)).toEqual({
      "do-a": "finished",
      "do-b": "finished",
      "do-c": "failed",
      "undo-a": "finished",
      "undo-b": "finished",
      "log-b": "finished",
      "undo-c": "skipped",
    });
  });

  it("is undone by a process that continues the run, no matter after which commit the first one died", async () => {
    for (let commit = 1; commit <= 12; commit += 1) {
      const test = inBudget(
        "skip-remaining",
        50,
        <Saga onFailure="compensate-and-fail">
          {step("a", spend("do-a"))}
          {step("b", spend("do-b"))}
        </Saga>,
      );
      await test.run({ commit, when: "after" });
      if (test.result.status === "running") await test.resume();
      expect(test.result.error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
      expect(await statesOf(test)).toMatchObject({ "do-a": "finished", "undo-a": "finished" });
    }
  });

  it("is left out as a whole where nothing of it has begun", async () => {
    const test = inBudget("skip-remaining", 50, [
      spend("before"),
      <Saga key="saga">
        {step("a", spend("do-a"))}
        {step("b", free("do-b"))}
      </Saga>,
    ]);
    expect(await test.run()).toMatchObject({ status: "finished" });
    expect(test.result.failedChildKeys).toBeUndefined();
    expect(await statesOf(test)).toMatchObject({ "do-a": "skipped", "do-b": "skipped", "undo-a": "skipped" });
  });

  it("fails where the budget would leave out one of its steps and not the others", async () => {
    const test = testWorkflow(
      service(() => (
        <Workflow name="budgets">
          <Saga>
            <SagaStep id="a" compensation={free("undo-a")}>
              <Aspects tokenBudget={{ max: 50, onExceeded: "skip-remaining" }}>
                <Sequence>
                  {spend("do-a")}
                  {spend("do-more")}
                </Sequence>
              </Aspects>
            </SagaStep>
            <SagaStep id="b" compensation={free("undo-b")}>
              {free("do-b")}
            </SagaStep>
          </Saga>
        </Workflow>
      )),
    );
    expect(await test.run()).toMatchObject({ status: "finished", failedChildKeys: ["do-more::0"] });
    expect(await statesOf(test)).toMatchObject({ "do-b": "skipped" });
  });

  it("is undone where the step that is refused stands in a saga inside, which passes the failure on", async () => {
    const test = inBudget(
      "skip-remaining",
      50,
      <Saga id="outer">
        {step("a", spend("do-a"))}
        {step(
          "b",
          <Saga id="inner" onFailure="compensate-and-fail">
            {step("c", spend("do-c"))}
          </Saga>,
        )}
      </Saga>,
    );
    expect((await test.run()).status).toBe("finished");
    expect(await statesOf(test)).toMatchObject({
      "do-a": "finished",
      "do-c": "failed",
      "undo-a": "finished",
    });
  });
});

describe("a used-up budget", () => {
  it("lets catch and finally run, but no agent in them", async () => {
    const test = inBudget(
      "skip-remaining",
      50,
      <TryCatchFinally
        try={
          <Sequence>
            {spend("work")}
            {fail("broken")}
          </Sequence>
        }
        catch={<Sequence>{[free("log"), spend("explain")]}</Sequence>}
        finally={<Sequence>{[free("clean"), spend("sum-up")]}</Sequence>}
      />,
    );
    await test.run();
    expect(await statesOf(test)).toMatchObject({
      explain: "skipped",
      clean: "finished",
      "sum-up": "skipped",
    });
  });

  it("with fail is caught, and the block ends as it says", async () => {
    const test = inBudget(
      "fail",
      50,
      <TryCatchFinally
        try={
          <Sequence>
            {spend("work")}
            {spend("more")}
          </Sequence>
        }
        catch={(error) => free(`caught-${error.code}`)}
        finally={free("clean")}
      />,
    );
    expect((await test.run()).status).toBe("finished");
    expect(await statesOf(test)).toEqual({
      work: "finished",
      more: "failed",
      "caught-ASPECT_BUDGET_EXCEEDED": "finished",
      clean: "finished",
    });
  });

  it.each(["fail", "skip-remaining"] as const)(
    "does not refuse the tally of paid votes with %s",
    async (on) => {
      const voter = paid({ vote: "yes" });
      const test = inBudget(
        on,
        100,
        <Panel
          id="panel"
          panelists={[voter, voter]}
          moderator={paid({ text: "done" })}
          panelistOutput={outputs.vote}
          moderatorOutput={outputs.output}
        >
          Shall we?
        </Panel>,
      );
      await test.run();
      expect(await statesOf(test)).toMatchObject({
        "panel-tally": "finished",
        "panel-moderator": on === "fail" ? "failed" : "skipped",
      });
    },
  );

  it("leaves the bookkeeping out as well where nothing was paid for it", async () => {
    const test = inBudget("skip-remaining", 50, [
      spend("before"),
      <CheckSuite
        key="checks"
        id="checks"
        checks={[{ id: "a", agent: paid({ passed: true }) }]}
        verdictOutput={outputs.verdict as never}
      />,
    ]);
    expect((await test.run()).status).toBe("finished");
    expect(await statesOf(test)).toEqual({
      before: "finished",
      "checks-a": "skipped",
      "checks-verdict": "skipped",
    });
  });
});

it("an undo that spends more than perTask is reported and keeps its row", async () => {
  const test = testWorkflow(
    service(() => (
      <Workflow name="budgets">
        <Saga>
          {step("a", free("do-a"), <Aspects tokenBudget={{ perTask: 10 }}>{spend("undo-a")}</Aspects>)}
          {step("b", fail("do-b"))}
        </Saga>
      </Workflow>
    )),
  );
  expect((await test.run()).status).toBe("finished");
  expect(await statesOf(test)).toMatchObject({ "undo-a": "finished" });
  const told = (await test.events())
    .map(({ event }) => event)
    .filter(({ type }) => type === "BudgetExceeded");
  expect(told).toMatchObject([{ nodeId: "undo-a", action: "warn", limit: 10, current: 60 }]);
});
