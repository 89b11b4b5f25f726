import type { ReactNode } from "react";
import { type AgentLike, createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService({
  note: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
});
const { Workflow, Sequence, Task, Subflow, Timer, Aspects, ContinueAsNew, service, outputs } = api;

const agent: AgentLike = {
  generate: async () => ({ output: { text: "x" }, usage: { inputTokens: 30, outputTokens: 10 } }),
};
const spend = (id: string, output: typeof outputs.note = outputs.output) => (
  <Task id={id} output={output} agent={agent} retries={0}>
    Spend.
  </Task>
);
const child = (tree: ReactNode) => service(() => <Workflow name="child">{tree}</Workflow>);

/** A subflow, then a task that reads the budget. */
const around = (
  workflow: ReturnType<typeof service>,
  onExceeded: "warn" | "fail" = "warn",
  limit: { max?: number; perTask?: number } = { max: 1 },
  retries = 0,
) =>
  testWorkflow(
    service(() => (
      <Workflow name="parent">
        <Aspects tokenBudget={{ ...limit, onExceeded }}>
          <Sequence>
            <Subflow id="sub" workflow={workflow} output={outputs.note} retries={retries} />
            <Task id="after" output={outputs.note}>
              {{ text: "after" }}
            </Task>
          </Sequence>
        </Aspects>
      </Workflow>
    )),
  );

const excesses = async (test: WorkflowTest) =>
  (await test.events()).flatMap(({ event }) =>
    event.type === "BudgetExceeded" ? [[event.nodeId, event.current]] : [],
  );

describe("the tokens of a child run", () => {
  it("count for the Aspects around its subflow", async () => {
    const test = around(child(spend("a")), "fail");
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
    expect(await excesses(test)).toEqual([["after", 40]]);
  });

  it("count for perTask", async () => {
    const test = around(child(spend("a")), "fail", { perTask: 39 });
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
    expect(await excesses(test)).toEqual([["sub", 40]]);
  });

  it("count with those of its own children and of the runs that continue it", async () => {
    const inner = child(spend("deep"));
    const outer = service((ctx) => (
      <Workflow name="outer">
        <Sequence>
          <Subflow id="in" workflow={inner} output={outputs.note} />
          {spend("a")}
          {ctx.continuation === undefined && <ContinueAsNew state={1} />}
        </Sequence>
      </Workflow>
    ));
    const test = around(outer);
    await test.run();
    expect(await excesses(test)).toEqual([["after", 160]]);
  });

  it("count once, however often the child is driven", async () => {
    const tree = (
      <Sequence>
        {spend("a")}
        <Timer id="nap" duration="1h" />
        {spend("b", outputs.note)}
        <Timer id="rest" duration="1h" />
      </Sequence>
    );
    const test = around(child(tree));
    await test.run();
    await test.resume();
    await test.advance("2h");
    expect(await excesses(test)).toEqual([["after", 80]]);
  });

  it("count once, no matter after which commit a process dies", async () => {
    for (const when of ["before", "after"] as const) {
      for (let commit = 1; commit <= 10; commit += 1) {
        const test = around(child(spend("a")));
        await test.run({ commit, when });
        if (test.result.status === "running") await test.resume();
        expect(test.result.status).toBe("finished");
        // An attempt that dies is followed by one that says it again.
        for (const excess of await excesses(test)) expect(excess).toEqual(["after", 40]);
        expect(await excesses(test)).not.toEqual([]);
      }
    }
  });

  it("are in the child's usage only", async () => {
    const test = around(child(spend("a")));
    await test.run();
    const reported = (await test.events()).filter(({ event }) => event.type === "TokenUsageReported");
    expect(reported).toEqual([]);
  });
});

it("a child run that has begun is driven on although the budget is used up", async () => {
  const test = around(child([spend("a"), <Timer key="t" id="rest" duration="1h" />]), "fail");
  expect((await test.run()).status).toBe("waiting-timer");
  await test.advance("1h");
  expect((await test.tasks()).map(({ nodeId, state }) => [nodeId, state])).toEqual([
    ["after", "failed"],
    ["sub", "finished"],
  ]);
});

it("a child run that has failed is not driven again once the budget is used up", async () => {
  const failing = (
    <Task key="f" id="fail" output={outputs.note} retries={0}>
      {() => Promise.reject(new Error("no"))}
    </Task>
  );
  const test = around(child([spend("a"), failing]), "fail", { max: 1 }, 3);
  await test.run();
  await test.advance("1h");
  expect(test.result.error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
  expect(await excesses(test)).toEqual([["sub", 40]]);
});
