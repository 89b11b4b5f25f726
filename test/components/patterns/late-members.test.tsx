import Database from "better-sqlite3";
import type { ReactNode } from "react";
import { createService, retryTask, type PanelTally } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

const schemas = {
  opinion: z.object({ vote: z.string() }),
  note: z.object({ text: z.string() }),
  verdict: z.object({ passed: z.boolean(), total: z.int() }),
};
const api = createService(schemas);
const { Workflow, Sequence, Loop, Saga, SagaStep, Panel, CheckSuite, GatherAndSynthesize, Task, service } =
  api;

type Context = Parameters<Parameters<typeof service>[0]>[0];
const has = (ctx: Context, nodeId: string) => ctx.outputMaybe("note", { nodeId }) !== undefined;

/** Agents that tell who was asked, under the node that was asked. */
function askedAgents() {
  const asked: string[] = [];
  const agentOf = (id: string) => ({
    id,
    generate: async () => {
      asked.push(id);
      return { output: id.startsWith("mod") ? { text: "done" } : { vote: "yes" } };
    },
  });
  return { asked, agentOf };
}

const note = (id: string) => (
  <Task key={id} id={id} output="note">
    {{ text: id }}
  </Task>
);
const testOf = (tree: (ctx: Context) => ReactNode) =>
  testWorkflow(service((ctx) => <Workflow name="late">{tree(ctx) as never}</Workflow>));
const rowOf = async (test: WorkflowTest, id: string) =>
  (await test.tasks()).find(({ nodeId }) => nodeId === id)?.output;
const refused = (nodeId: string, members: string[]) => ({
  status: "failed",
  error: { code: "WORKFLOW_RENDER_FAILED", details: { nodeId, members } },
});

const passes = { run: () => ({ passed: true }) };
function checks(ctx: Context, lateAfter: string, ran: string[] = []) {
  const late = {
    run: () => {
      ran.push("late");
      return { passed: false };
    },
  };
  return (
    <CheckSuite id="s" checks={{ a: passes, ...(has(ctx, lateAfter) && { late }) }} verdictOutput="verdict" />
  );
}

describe("a member that comes into a composite after it has counted", () => {
  it("is refused as a check of a CheckSuite, and is never run", async () => {
    const ran: string[] = [];
    const test = testOf((ctx) => (
      <Sequence>
        {checks(ctx, "after", ran)}
        {note("after")}
        {note("last")}
      </Sequence>
    ));
    expect(await test.run()).toMatchObject(refused("s-verdict", ["s-late"]));
    expect(test.result.error?.message).toContain("s-late came into the tree after s-verdict had counted");
    expect(ran).toEqual([]);
    expect(await test.resume()).toMatchObject(refused("s-verdict", ["s-late"]));
    expect(ran).toEqual([]);
  });

  it("is counted when the verdict is reset", async () => {
    const scene = openScene(schemas);
    const own = scene.api;
    const workflow = own.service((ctx) => (
      <own.Workflow name="late">
        <own.Parallel>
          {checks(ctx as never, "later")}
          <own.Sequence>{["one", "two", "three", "four", "later"].map(note)}</own.Sequence>
        </own.Parallel>
      </own.Workflow>
    ));
    expect(await scene.run(workflow)).toMatchObject(refused("s-verdict", ["s-late"]));
    await retryTask(workflow, { runId: "run", nodeId: "s-verdict" });
    expect((await scene.resume(workflow, { acceptWorkflowChange: true })).status).toBe("finished");
    const file = new Database(scene.path, { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare("SELECT passed, total FROM verdict").all()).toEqual([{ passed: 0, total: 2 }]);
  });

  it("is counted where it comes before", async () => {
    const test = testOf((ctx) => (
      <Sequence>
        {note("before")}
        {checks(ctx, "before")}
      </Sequence>
    ));
    expect((await test.run()).status).toBe("finished");
    expect(await rowOf(test, "s-verdict")).toEqual({ passed: false, total: 2 });
  });

  it("is refused as a panelist, wherever in the list, and as a source", async () => {
    const { asked, agentOf } = askedAgents();
    const panel = (agents: string[], isNamed: boolean) => (
      <Panel
        id="p"
        panelists={agents.map((id) => ({ agent: agentOf(id), ...(isNamed && { label: id }) }))}
        moderator={agentOf("mod")}
        panelistOutput="opinion"
        moderatorOutput="note"
        strategy="vote"
      >
        Well?
      </Panel>
    );
    for (const isNamed of [true, false]) {
      for (const late of [
        ["x", "a", "b"],
        ["a", "x", "b"],
        ["a", "b", "x"],
      ]) {
        const test = testOf((ctx) => panel(has(ctx, "p-moderator") ? late : ["a", "b"], isNamed));
        expect(await test.run()).toMatchObject(refused("p-tally", [isNamed ? "p-x" : "p-panelist-2"]));
      }
    }
    const sources = testOf((ctx) => (
      <GatherAndSynthesize
        id="g"
        sources={{ a: agentOf("a"), ...(has(ctx, "g-synthesize") && { x: agentOf("x") }) }}
        synthesizer={agentOf("mod")}
        gatherOutput="opinion"
        synthesisOutput="note"
      />
    ));
    expect(await sources.run()).toMatchObject(refused("g-gathered", ["g-gather-x"]));
    expect(asked).not.toContain("x");
  });

  it("is refused in the round of a loop in which it comes too late, and in a compensation", async () => {
    const ran: string[] = [];
    const rounds = testOf((ctx) => (
      <Loop id="rounds" maxIterations={2} until={false}>
        {checks(ctx, "after", ran)}
        {note("after")}
      </Loop>
    ));
    expect(await rounds.run()).toMatchObject(refused("s-verdict", ["s-late"]));
    const undone = testOf((ctx) => (
      <Saga id="trip">
        <SagaStep
          id="one"
          compensation={
            <Sequence>
              {checks(ctx, "after", ran)}
              {note("after")}
            </Sequence>
          }
        >
          {note("do")}
        </SagaStep>
        <SagaStep id="two" compensation={null}>
          <Task id="fails" output="note" retries={0}>
            {() => Promise.reject(new Error("no"))}
          </Task>
        </SagaStep>
      </Saga>
    ));
    expect(await undone.run()).toMatchObject({ error: { code: "WORKFLOW_RENDER_FAILED" } });
    expect(ran).toEqual([]);
  });
});

describe("panelists without a name of their own", () => {
  const flow = (before: string[], after: string[], roleOf?: (id: string) => string) => {
    const { asked, agentOf } = askedAgents();
    const agents = new Map([...before, ...after, "mod"].map((id) => [id, agentOf(id)]));
    const test = testOf((ctx) => (
      <Panel
        id="p"
        panelists={((ctx.outputMaybe("opinion", { nodeId: "p-panelist-0" }) ??
        ctx.outputMaybe("opinion", { nodeId: "p-critic" }))
          ? after
          : before
        ).map((id) => ({
          agent: agents.get(id) as never,
          ...(roleOf !== undefined && { role: roleOf(id) }),
        }))}
        moderator={agents.get("mod") as never}
        panelistOutput="opinion"
        moderatorOutput="note"
        strategy="vote"
        // So that the list changes while the first has an answer and the last has none.
        maxConcurrency={1}
      >
        Well?
      </Panel>
    ));
    return { test, asked };
  };

  it.each([
    ["one in front", ["a", "b"], ["x", "a", "b"], ["p-panelist-0", "p-panelist-1"]],
    ["one in front of one", ["a"], ["x", "a"], ["p-panelist-0", "p-panelist-1"]],
    ["another order", ["a", "b"], ["b", "a"], ["p-panelist-0", "p-panelist-1"]],
  ])("are refused when the list gets %s while they answer", async (_, before, after, members) => {
    const { test, asked } = flow(before, after);
    expect(await test.run()).toMatchObject(refused("p-tally", members));
    expect(asked).toEqual(["a"]);
    expect(await test.resume()).toMatchObject(refused("p-tally", members));
    expect(asked).toEqual(["a"]);
  });

  it("are refused when the list gets another of a role that several have in front", async () => {
    const { test } = flow(["a", "b"], ["x", "a", "b"], () => "critic");
    expect(await test.run()).toMatchObject(refused("p-tally", ["p-critic", "p-critic-2"]));
  });

  it("may get others behind them, who count", async () => {
    const { test, asked } = flow(["a", "b"], ["a", "b", "x"]);
    expect((await test.run()).status).toBe("finished");
    expect(asked).toEqual(["a", "b", "x", "mod"]);
    expect(await rowOf(test, "p-tally")).toMatchObject({
      votes: [{ count: 3 }],
    } satisfies { votes: Partial<PanelTally["votes"][number]>[] });
  });

  it("may come in any order where each has a label or role of its own", async () => {
    const { test, asked } = flow(["a", "b"], ["x", "b", "a"], (id) => (id === "a" ? "critic" : `role-${id}`));
    expect((await test.run()).status).toBe("finished");
    expect(asked.toSorted()).toEqual(["a", "b", "mod", "x"]);
  });
});
