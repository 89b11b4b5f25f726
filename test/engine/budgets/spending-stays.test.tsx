import type { ReactNode } from "react";
import { type AgentLike, createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const api = createService({
  note: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
});
const { Workflow, Sequence, Parallel, Branch, Loop, Task, Aspects, Subflow, Timer, service, outputs } = api;

const agent: AgentLike = {
  generate: async () => ({ output: { text: "x" }, usage: { inputTokens: 400, outputTokens: 100 } }),
};
const spend = (id: string) => (
  <Task key={id} id={id} output={outputs.note} agent={agent} retries={0}>
    Spend.
  </Task>
);

type Context = Parameters<Parameters<typeof service>[0]>[0];
const hasRow = (ctx: Context, nodeId: string) => ctx.outputMaybe(outputs.note, { nodeId }) !== undefined;

const testOf = (tree: (ctx: Context) => ReactNode) =>
  testWorkflow(service((ctx) => <Workflow name="budgets">{tree(ctx) as never}</Workflow>));

const statesOf = async (test: WorkflowTest) =>
  Object.fromEntries(
    (await test.tasks()).map(({ nodeId, iteration, state }) => [`${nodeId} ${iteration}`, state]),
  );

/** Trees in which `one` is paid and gone when `two` is due. */
const gone: [string, (ctx: Context) => ReactNode][] = [
  ["is replaced by another", (ctx) => (hasRow(ctx, "one") ? spend("two") : spend("one"))],
  [
    "stood on the other side of a Branch",
    (ctx) => <Branch if={!hasRow(ctx, "one")} then={spend("one")} else={spend("two")} />,
  ],
  [
    "stood beside others in a Parallel",
    (ctx) => <Parallel>{hasRow(ctx, "one") ? [spend("two")] : [spend("one")]}</Parallel>,
  ],
  [
    "belonged to an Aspects inside",
    (ctx) =>
      hasRow(ctx, "one") ? (
        spend("two")
      ) : (
        <Aspects id="inner" tokenBudget={{ max: 10_000 }}>
          {spend("one")}
        </Aspects>
      ),
  ],
];

describe("what a task has spent that left the tree", () => {
  it.each(gone)("counts where it %s", async (_how, tree) => {
    const test = testOf((ctx) => <Aspects tokenBudget={{ max: 100 }}>{tree(ctx)}</Aspects>);
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
    expect(await statesOf(test)).toEqual({ "one 0": "finished", "two 0": "failed" });
  });

  it.each(gone)("counts for a process that continues the run where it %s", async (_how, tree) => {
    const build = (ctx: Context) => <Aspects tokenBudget={{ max: 100 }}>{tree(ctx)}</Aspects>;
    for (let commit = 1; commit <= 6; commit += 1) {
      const test = testOf(build);
      await test.run({ commit, when: "after" });
      if (test.result.status === "running") await test.resume();
      expect(test.result.error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
      expect(await statesOf(test)).toEqual({ "one 0": "finished", "two 0": "failed" });
    }
  });

  it("counts in a Loop whose rounds have tasks of their own, also within rounds of another", async () => {
    const test = testOf((ctx) => (
      <Aspects tokenBudget={{ max: 900, onExceeded: "skip-remaining" }}>
        <Loop id="outer" until={false} maxIterations={2}>
          <Sequence>
            <Loop id="inner" until={false} maxIterations={2}>
              {spend(`work-${ctx.iterations["outer"] ?? 0}-${ctx.iteration}`)}
            </Loop>
          </Sequence>
        </Loop>
      </Aspects>
    ));
    expect((await test.run()).status).toBe("finished");
    const states = Object.values(await statesOf(test));
    expect(states.filter((state) => state === "finished")).toHaveLength(2);
    expect(states.filter((state) => state === "skipped").length).toBeGreaterThan(0);
  });

  it("is what perTask with skip-remaining goes by", async () => {
    const test = testOf((ctx) => (
      <Aspects tokenBudget={{ perTask: 100, onExceeded: "skip-remaining" }}>
        {hasRow(ctx, "one") ? spend("two") : spend("one")}
      </Aspects>
    ));
    expect((await test.run()).status).toBe("finished");
    expect(await statesOf(test)).toEqual({ "one 0": "finished", "two 0": "skipped" });
  });

  it("counts for latencySlo", async () => {
    const test = testOf((ctx) => (
      <Aspects latencySlo={{ maxMs: 100 }}>
        {hasRow(ctx, "one") ? (
          spend("two")
        ) : (
          <Task id="one" output={outputs.note} retries={0}>
            {() => {
              test.clock.moveTo(test.clock.now() + 500);
              return { text: "slow" };
            }}
          </Task>
        )}
      </Aspects>
    ));
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
    expect(await statesOf(test)).toEqual({ "one 0": "finished", "two 0": "failed" });
  });

  it("counts where it was a child run", async () => {
    const child = service(() => (
      <Workflow name="child">
        <Sequence>
          <Task id="work" output={outputs.output} agent={agent} retries={0}>
            Spend.
          </Task>
          <Timer id="nap" duration="1h" />
        </Sequence>
      </Workflow>
    ));
    const test = testOf((ctx) => (
      <Aspects tokenBudget={{ max: 100 }}>
        {hasRow(ctx, "one") ? spend("two") : <Subflow id="one" workflow={child} output={outputs.note} />}
      </Aspects>
    ));
    await test.run();
    await test.advance("1h");
    expect(test.result.error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
  });

  it("counts where it was an inline subflow", async () => {
    const part = service(() => <Workflow name="part">{spend("work")}</Workflow>);
    const test = testOf((ctx) => (
      <Aspects tokenBudget={{ max: 100 }}>
        {hasRow(ctx, "work") ? (
          spend("two")
        ) : (
          <Subflow id="sub" mode="inline" workflow={part} output={outputs.note} />
        )}
      </Aspects>
    ));
    expect((await test.run()).error?.code).toBe("ASPECT_BUDGET_EXCEEDED");
  });
});

it("a task spends from the Aspects that stood around it when it began, not from one that comes later", async () => {
  const test = testOf((ctx) => (
    <Sequence>
      {hasRow(ctx, "one") ? (
        <Aspects tokenBudget={{ max: 100 }}>
          <Sequence>
            {spend("one")}
            {spend("two")}
          </Sequence>
        </Aspects>
      ) : (
        spend("one")
      )}
    </Sequence>
  ));
  expect((await test.run()).status).toBe("finished");
  expect(await statesOf(test)).toEqual({ "one 0": "finished", "two 0": "finished" });
});

const scan = createService({
  scan: z.object({ issues: z.array(z.object({ id: z.string() })) }),
  fix: z.object({ text: z.string() }),
  verify: z.object({ resolved: z.boolean() }),
  report: z.object({ text: z.string() }),
});

it("a composite whose tasks come and go stays within its budget", async () => {
  const answers: Record<string, unknown> = {
    scan: { issues: [{ id: "a" }] },
    fix: { text: "fixed" },
    verify: { resolved: false },
    report: { text: "done" },
  };
  let spent = 0;
  const paid = (answer: string): AgentLike => ({
    generate: async () => {
      spent += 60;
      return { output: answers[answer], usage: { inputTokens: 60, outputTokens: 0 } };
    },
  });
  const verifier: AgentLike = {
    generate: async (request) =>
      paid(JSON.stringify(request).includes("resolved") ? "verify" : "report").generate(request),
  };
  const test = testWorkflow(
    scan.service(() => (
      <scan.Workflow name="scan">
        <scan.Aspects tokenBudget={{ max: 300, onExceeded: "skip-remaining" }}>
          <scan.ScanFixVerify
            scanner={paid("scan")}
            fixer={paid("fix")}
            verifier={verifier}
            scanOutput={scan.outputs.scan}
            fixOutput={scan.outputs.fix}
            verifyOutput={scan.outputs.verify}
            reportOutput={scan.outputs.report}
            maxRetries={4}
          >
            Look.
          </scan.ScanFixVerify>
        </scan.Aspects>
      </scan.Workflow>
    )),
  );
  await test.run();
  expect(spent).toBe(300);
});
