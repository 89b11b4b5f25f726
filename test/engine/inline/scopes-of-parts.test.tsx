import Database from "better-sqlite3";
import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";

/*
 * Two uses of a workflow whose ids are those of composites, loops, blocks and budgets.
 */

const text = () => z.object({ text: z.string() });
const agent = { id: "agent", generate: async () => ({}) };
const schemas = {
  note: text(),
  vote: z.object({ vote: z.string() }),
  copy: text(),
  ok: z.object({ approved: z.boolean() }),
  board: z.object({ total: z.int(), done: z.array(z.string()), left: z.array(z.string()) }),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  output: text(),
};

function open() {
  const scene = openScene(schemas);
  const texts = async () =>
    (await scene.store.listOutputs("run", "copy")).map(
      ({ nodeId, text: said }) => `${nodeId}: ${String(said)}`,
    );
  return { ...scene, texts };
}

it("composites without ids", async () => {
  const api = createService(schemas);
  const { Workflow, Sequence, Subflow, Panel, Kanban, Debate, Task, outputs, service } = api;
  const child = service((ctx) => (
    <Workflow name="child">
      <Panel
        panelists={[agent, agent]}
        moderator={agent}
        panelistOutput={outputs.vote}
        moderatorOutput={outputs.note}
        strategy="vote"
      >
        Shall we?
      </Panel>
      <Kanban
        columns={[{ name: "write", agent, output: outputs.note }]}
        useTickets={() => [{ id: "1" }]}
        onComplete={outputs.board}
      />
      <Debate
        proposer={agent}
        opponent={agent}
        judge={agent}
        rounds={2}
        topic={ctx.outputMaybe("note", { nodeId: "panel-moderator" })?.text ?? "Nothing yet."}
        argumentOutput={outputs.note}
        verdictOutput={outputs.output}
      />
    </Workflow>
  ));
  const row = (nodeId: string, said: string) => ({ [nodeId]: { text: said } });
  const mocks = (prefix: string, vote: string) => ({
    [`${prefix}panel-panelist-0`]: { vote },
    [`${prefix}panel-panelist-1`]: { vote },
    ...row(`${prefix}panel-moderator`, `moderated ${vote}`),
    ...row(`${prefix}kanban-write-1`, "written"),
    ...row(`${prefix}debate-proposer`, `for ${vote}`),
    ...row(`${prefix}debate-opponent`, `against ${vote}`),
    ...row(`${prefix}debate-judge`, `judged ${vote}`),
  });
  const run = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Subflow id="a" mode="inline" workflow={child} output={outputs.copy} />
          <Subflow id="b" mode="inline" workflow={child} output={outputs.copy} />
          <Task id="end" output={outputs.output} deps={{ a: outputs.copy, b: outputs.copy }}>
            {({ a, b }) => ({ text: `${a.text}, ${b.text}` })}
          </Task>
        </Sequence>
      </Workflow>
    )),
    { agents: { ...mocks("", "yes"), ...mocks("b/", "no") } },
  );
  const result = await run.run();
  expect(result.error).toBeUndefined();
  expect(result.output).toContainEqual(expect.objectContaining({ text: "judged yes, judged no" }));
  expect(run.prompt("b/panel-moderator")).toContain('"decision": "no"');
  expect(run.prompt("b/debate-judge")).toContain("for no");
  expect(run.prompt("b/debate-judge")).not.toContain("for yes");
});

it("a composite that asks why a task of its own has failed", async () => {
  const { Workflow, Parallel, Subflow, EscalationChain, Task, outputs, service } = createService(schemas);
  const child = service(() => (
    <Workflow name="child">
      <EscalationChain
        levels={[
          { agent, output: outputs.note, escalateIf: () => false },
          { agent, output: outputs.note },
        ]}
        escalationOutput={outputs.escalation}
      >
        Do it.
      </EscalationChain>
      <Task id="end" output={outputs.output}>
        {{ text: "done" }}
      </Task>
    </Workflow>
  ));
  const run = testWorkflow(
    service(() => (
      <Workflow name="w">
        <Parallel>
          <Subflow id="a" mode="inline" workflow={child} output={outputs.copy} />
          <Subflow id="b" mode="inline" workflow={child} output={outputs.copy} />
        </Parallel>
      </Workflow>
    )),
    {
      agents: {
        "escalation-level-0": { text: "a0" },
        "b/escalation-level-0": () => {
          throw Object.assign(new Error("b cannot"), { retryable: false });
        },
        "b/escalation-level-1": { text: "b1" },
      },
    },
  );
  const result = await run.run();
  expect(result.error).toBeUndefined();
  expect(run.calls.map(({ nodeId }) => nodeId)).toEqual([
    "escalation-level-0",
    "b/escalation-level-0",
    "b/escalation-level-1",
  ]);
  expect(run.prompt("b/escalation-level-1")).toContain("b cannot");
});

it("budgets, sagas, and loops with and without ids", async () => {
  const { api, run, texts } = open();
  const { Workflow, Sequence, Parallel, Subflow, Aspects, Saga, SagaStep, Loop, Task, outputs, service } =
    api;
  const say = (id: string, said: string) => (
    <Task id={id} output={outputs.note}>
      {{ text: said }}
    </Task>
  );
  const child = service((ctx) => (
    <Workflow name="child">
      <Aspects id="budget" latencySlo={{ maxMs: 1_000_000 }}>
        <Saga id="saga">
          <SagaStep id="step" compensation={say("undo", "undone")}>
            {say("do", "done")}
          </SagaStep>
        </Saga>
        <Loop id="named" maxIterations={2}>
          <Sequence>
            <Loop maxIterations={2}>{say("inner", `inner ${ctx.iterations["named"]}`)}</Loop>
          </Sequence>
        </Loop>
      </Aspects>
      <Task id="end" output={outputs.output}>
        {() => ({ text: `${ctx.latest("note", "inner")?.text} ${ctx.iterationCount("note", "inner")}` })}
      </Task>
    </Workflow>
  ));
  const { status, error } = await run(
    service(() => (
      <Workflow name="w">
        <Parallel>
          <Subflow id="a" mode="inline" workflow={child} output={outputs.copy} />
          <Subflow id="b" mode="inline" workflow={child} output={outputs.copy} />
        </Parallel>
      </Workflow>
    )),
  );
  expect({ status, error }).toEqual({ status: "finished", error: undefined });
  expect((await texts()).sort()).toEqual(["a: inner 1 2", "b: inner 1 2"]);
});

it("skipped uses, and the alternatives of a Branch, take no ids from others", async () => {
  const { api, run, store, texts } = open();
  const { Workflow, Sequence, Branch, Subflow, Task, outputs, service } = api;
  const child = service((ctx) => (
    <Workflow name="child">
      <Task id="say" output={outputs.output}>
        {{ text: String(ctx.input["text"]) }}
      </Task>
    </Workflow>
  ));
  const use = (id: string, skipIf = false) => (
    <Subflow
      id={id}
      mode="inline"
      workflow={child}
      input={{ text: id }}
      output={outputs.copy}
      skipIf={skipIf}
    />
  );
  await run(
    service(() => (
      <Workflow name="w">
        <Sequence>
          {use("skipped", true)}
          <Branch if={true} then={use("b")} else={use("c")} />
          {use("d")}
        </Sequence>
      </Workflow>
    )),
  );
  expect((await texts()).sort()).toEqual(["b: b", "d: d"]);
  expect((await store.listOutputs("run", "output")).map(({ nodeId }) => nodeId)).toEqual(["say", "d/say"]);
});

it("a run that continues as a new run keeps the scopes", async () => {
  const { api, run, store } = open();
  const { Workflow, Loop, Subflow, Task, outputs, service } = api;
  const child = service((ctx) => (
    <Workflow name="child">
      <Task id="say" output={outputs.note}>
        {{ text: String(ctx.input["text"]) }}
      </Task>
      <Task id="end" output={outputs.output}>
        {() => ({ text: `${ctx.latest("note", "say")?.text} ${ctx.iterationCount("note", "say")}` })}
      </Task>
    </Workflow>
  ));
  const use = (id: string) => (
    <Subflow id={id} key={id} mode="inline" workflow={child} input={{ text: id }} output={outputs.copy} />
  );
  const result = await run(
    service((ctx) => (
      <Workflow name="w">
        <Loop id="rounds" maxIterations={4} continueAsNewEvery={2}>
          {ctx.iterations["rounds"] === 0 ? use("a") : null}
          {use("b")}
          <Task id="round" output={outputs.note}>
            {{ text: "" }}
          </Task>
        </Loop>
      </Workflow>
    )),
  );
  expect(result).toMatchObject({ status: "finished" });
  const rows = await store.listOutputs(result.runId, "copy");
  expect(result.runId).not.toBe("run");
  expect(rows.filter(({ nodeId }) => nodeId === "b").at(-1)?.["text"]).toBe("b 4");
  expect((await store.listNodes(result.runId)).map(({ nodeId }) => nodeId)).toContain("b/say");
});

it("a run that was stored before scopes were kept continues under its ids", async () => {
  const { api, drive, resume, path, store } = open();
  const { Workflow, Parallel, Sequence, Approval, Subflow, Task, outputs, service } = api;
  const child = service(() => (
    <Workflow name="child">
      <Task id="say" output={outputs.output}>
        {{ text: "said" }}
      </Task>
    </Workflow>
  ));
  const use = (id: string) => (
    <Subflow id={id} key={id} mode="inline" workflow={child} output={outputs.copy} />
  );
  const flow = (...uses: string[]) =>
    service(() => (
      <Workflow name="w">
        <Sequence>
          <Parallel>{uses.map(use)}</Parallel>
          <Approval id="ask" output={outputs.ok} request={{ title: "On?" }} />
        </Sequence>
      </Workflow>
    ));
  await drive(flow("a"));
  const db = new Database(path);
  expect(db.prepare("DELETE FROM _service_controls WHERE kind = 'inline'").run().changes).toBe(1);
  db.close();
  // Even where newer code has put another use in front of it.
  await resume(flow("b", "a"), { acceptWorkflowChange: true });
  const rows = await store.listOutputs("run", "output");
  expect(rows.map(({ nodeId }) => nodeId)).toEqual(["say", "b/say"]);
  expect(await store.listAttempts("run", "say", 0)).toHaveLength(1);
});
