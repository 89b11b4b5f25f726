import { taskKey } from "../../../src/model/address.js";
import { createService, listNodes, retryTask, runWorkflow, type ServiceWorkflow } from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";

/** A loop with a loop in it, between two tasks; `ran` says what ran since it was last emptied. */
function nested() {
  const ran: string[] = [];
  const { Workflow, Sequence, Loop, Task, service, outputs } = createService(
    { input: z.object({}), row: z.object({ n: z.number() }) },
    { dbPath: ":memory:" },
  );
  const task = (id: string) => (
    <Task id={id} output={outputs.row}>
      {(_inputs: unknown, { nodeId, iteration }: { nodeId: string; iteration: number }) => {
        ran.push(taskKey({ nodeId, iteration }));
        return { n: iteration };
      }}
    </Task>
  );
  const workflow = service(() => (
    <Workflow name="nested">
      <Sequence>
        {task("first")}
        <Loop id="outer" maxIterations={2}>
          <Sequence>
            {task("pre")}
            <Loop id="inner" maxIterations={2}>
              {task("work")}
            </Loop>
          </Sequence>
        </Loop>
        {task("end")}
      </Sequence>
    </Workflow>
  ));
  return { workflow, ran };
}

const FIRST_ROUND = ["pre::0", "work@@outer=0::0", "work@@outer=0::1"];
const SECOND_ROUND = ["pre::1", "work@@outer=1::0", "work@@outer=1::1"];

async function retry(workflow: ServiceWorkflow, ran: string[], node: { nodeId: string; iteration?: number }) {
  await runWorkflow(workflow, { runId: "run", input: {} });
  const preview = await retryTask(workflow, { runId: "run", ...node, dryRun: true });
  ran.length = 0;
  const { resetNodes } = await retryTask(workflow, { runId: "run", ...node });
  expect(resetNodes).toEqual(preview.resetNodes);
  const { status } = await runWorkflow(workflow, { runId: "run", resume: true });
  expect(status).toBe("finished");
  expect([...resetNodes].sort()).toEqual([...ran].sort());
  const states = (await listNodes(workflow, "run")).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(["finished"]));
  return ran;
}

it.each([
  ["in front of the loops", { nodeId: "first" }, ["first::0", ...FIRST_ROUND, ...SECOND_ROUND, "end::0"]],
  [
    "in the first round, in front of the inner loop",
    { nodeId: "pre" },
    [...FIRST_ROUND, ...SECOND_ROUND, "end::0"],
  ],
  ["in the second round", { nodeId: "pre", iteration: 1 }, [...SECOND_ROUND, "end::0"]],
  [
    "in the inner loop of the first round",
    { nodeId: "work@@outer=0", iteration: 1 },
    ["work@@outer=0::1", ...SECOND_ROUND, "end::0"],
  ],
  ["in the last round of all", { nodeId: "work@@outer=1", iteration: 1 }, ["work@@outer=1::1", "end::0"]],
])("a node %s runs again with every round that follows", async (_where, node, expected) => {
  const { workflow, ran } = nested();
  expect(await retry(workflow, ran, node)).toEqual(expected);
});

it("a node of an earlier round is not reset without the rounds that follow", async () => {
  const { workflow } = nested();
  await runWorkflow(workflow, { runId: "run", input: {} });
  const alone = (nodeId: string, iteration: number) =>
    retryTask(workflow, { runId: "run", nodeId, iteration, resetDependents: false });
  expect(await alone("pre", 0)).toMatchObject({
    success: false,
    code: "INVALID_INPUT",
    error: expect.stringContaining(
      "pre stands in an earlier round of its loop: it runs again only together with what came after it.",
    ),
  });
  expect((await alone("pre", 1)).resetNodes).toEqual(["pre::1"]);
  expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("finished");
});

it("a second retry, of a later round than the first, leaves what the first asked for to be done", async () => {
  const { workflow, ran } = nested();
  await runWorkflow(workflow, { runId: "run", input: {} });
  ran.length = 0;
  for (const nodeId of ["work@@outer=0", "work@@outer=1"]) {
    expect(await retryTask(workflow, { runId: "run", nodeId, iteration: 1 })).toMatchObject({
      success: true,
    });
  }
  expect((await runWorkflow(workflow, { runId: "run", resume: true })).status).toBe("finished");
  expect(ran).toEqual(["work@@outer=0::1", ...SECOND_ROUND, "end::0"]);
  expect((await listNodes(workflow, "run")).map(({ state }) => state)).not.toContain("cancelled");
});

it("a round that had tasks of its own runs again with these, and with what its rows had mounted behind the loop", async () => {
  const api = createService({ row: z.object({ n: z.number() }) }, { dbPath: ":memory:" });
  const { Workflow, Sequence, Parallel, Loop, Task, service, outputs } = api;
  const task = (id: string) => (
    <Task id={id} key={id} output={outputs.row}>
      {{ n: 1 }}
    </Task>
  );
  const workflow = service((ctx) => {
    const rounds = ctx.outputs.row.filter(({ nodeId }) => nodeId === "last").length;
    return (
      <Workflow name="rounds">
        <Sequence>
          <Loop id="rounds" maxIterations={3} until={rounds >= 3}>
            <Parallel>
              <Sequence>
                {task("first")}
                {ctx.iteration === 0 && task("only-at-first")}
                {ctx.iteration === 1 && task("only-then")}
                {task("last")}
              </Sequence>
              {ctx.iteration === 0 && task("beside")}
            </Parallel>
          </Loop>
          {rounds >= 3 && task("behind")}
        </Sequence>
      </Workflow>
    );
  });
  await runWorkflow(workflow, { runId: "run", input: {} });
  const planned = async (iteration: number) =>
    (await retryTask(workflow, { runId: "run", nodeId: "first", iteration, dryRun: true })).resetNodes;
  const lastRound = ["first::2", "last::2", "behind::0"];
  expect((await planned(2)).sort()).toEqual([...lastRound].sort());
  const second = ["first::1", "only-then::1", "last::1", ...lastRound];
  expect((await planned(1)).sort()).toEqual([...second].sort());
  const first = ["first::0", "only-at-first::0", "last::0", ...second];
  expect((await planned(0)).sort()).toEqual([...first].sort());
});
