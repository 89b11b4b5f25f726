import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentLike,
  approvalDecision,
  approveNode,
  type CachePolicy,
  denyNode,
  type TaskRuntime,
} from "../../src/index.js";
import { openScene, type Scene } from "../support/engine/scene.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const schemas = { answer: z.object({ n: z.number() }) };
const otherShape = { answer: z.object({ n: z.number(), why: z.string().optional() }) };

interface Asked {
  prompt?: string;
  agent?: Partial<AgentLike>;
  cache?: CachePolicy;
  id?: string;
  name?: string;
}

/** Runs of one task that asks an agent, on one database; counts the questions the agent really got. */
function asking(
  schema: typeof schemas | typeof otherShape = schemas,
  path = join(temporaryFolder(), "c.db"),
) {
  const scene: Scene<typeof schemas> = openScene(schema as typeof schemas, { dbPath: path });
  const { Workflow, Task, outputs, service } = scene.api;
  const asked = { times: 0, runs: 0 };
  const ask = async ({
    prompt = "How many?",
    agent = {},
    cache = {},
    id = "ask",
    name = "asking",
  }: Asked = {}) => {
    const scripted: AgentLike = {
      id: "counter",
      supportsNativeStructuredOutput: true,
      async generate() {
        asked.times += 1;
        return { n: asked.times };
      },
      ...agent,
    };
    asked.runs += 1;
    const runId = `run-${asked.runs}`;
    const result = await scene.run(
      service(() => (
        <Workflow name={name}>
          <Task id={id} output={outputs.answer} agent={scripted} cache={cache}>
            {prompt}
          </Task>
        </Workflow>
      )),
      { runId },
    );
    expect(result.status).toBe("finished");
    const row = await scene.store.getOutput(runId, "answer", id, 0);
    const [finished] = await scene.events("NodeFinished", runId);
    return { n: row?.["n"], cached: finished?.cached ?? false };
  };
  return { ...scene, path, asked, ask };
}

describe("a cached answer", () => {
  it("is used by the next run of the workflow: a row and a finish that says so", async () => {
    const { ask, store, asked } = asking();
    expect(await ask()).toEqual({ n: 1, cached: false });
    expect(await ask()).toEqual({ n: 1, cached: true });
    expect(asked.times).toBe(1);
    expect(await store.listAttempts("run-2")).toMatchObject([{ state: "finished", cached: true }]);
    expect(await store.listUsage("run-2")).toEqual([]);
  });

  it("is used by no task without a policy", async () => {
    const { api, run, asked } = asking();
    const { Workflow, Task, outputs, service } = api;
    const agent: AgentLike = {
      async generate() {
        asked.times += 1;
        return { n: asked.times };
      },
    };
    const workflow = service(() => (
      <Workflow name="asking">
        <Task id="ask" output={outputs.answer} agent={agent}>
          How many?
        </Task>
      </Workflow>
    ));
    await run(workflow, { runId: "a" });
    await run(workflow, { runId: "b" });
    expect(asked.times).toBe(2);
  });

  it.each<[string, Asked]>([
    ["prompt", { prompt: "How many more?" }],
    ["task", { id: "ask-2" }],
    ["version", { cache: { version: "2" } }],
    ["agent", { agent: { id: "other" } }],
    ["model", { agent: { model: "larger" } as Partial<AgentLike> }],
    ["set of tools", { agent: { tools: { look: {} } } }],
    ["workflow", { name: "another" }],
    ["value of by", { cache: { by: () => ({ day: "tuesday" }) } }],
    ["key of one's own", { cache: { region: "eu" } }],
  ])("does not answer a question with another %s", async (_what, change) => {
    const { ask, asked } = asking();
    await ask();
    expect(await ask(change)).toEqual({ n: 2, cached: false });
    expect(await ask(change)).toEqual({ n: 2, cached: true });
    expect(await ask()).toEqual({ n: 1, cached: true });
    expect(asked.times).toBe(2);
  });

  it("does not answer when the output schema has changed", async () => {
    const before = asking();
    await before.ask();
    const after = asking(otherShape, before.path);
    expect((await after.ask({})).cached).toBe(false);
  });

  it("answers tasks of other names that share its key", async () => {
    const { ask } = asking();
    await ask({ id: "one", cache: { key: "shared" } });
    expect(await ask({ id: "two", cache: { key: "shared" } })).toEqual({ n: 1, cached: true });
  });

  it("of scope global answers other workflows, of scope run only its own run", async () => {
    const { ask } = asking();
    await ask({ cache: { scope: "global" } });
    expect(await ask({ cache: { scope: "global" }, name: "another" })).toEqual({ n: 1, cached: true });
    expect(await ask({ cache: { scope: "run" } })).toEqual({ n: 2, cached: false });
    expect(await ask({ cache: { scope: "run" } })).toEqual({ n: 3, cached: false });
  });

  it("of scope run answers later iterations of its run", async () => {
    const { api, run, asked, store } = asking();
    const { Workflow, Task, Loop, outputs, service } = api;
    const workflow = service(() => (
      <Workflow name="rounds">
        <Loop id="rounds" maxIterations={3}>
          <Task id="count" output={outputs.answer} cache={{ scope: "run" }}>
            {() => {
              asked.times += 1;
              return { n: asked.times };
            }}
          </Task>
        </Loop>
      </Workflow>
    ));
    await run(workflow);
    expect((await store.listOutputs("run", "answer")).map(({ n }) => n)).toEqual([1, 1, 1]);
    await run(workflow, { runId: "next" });
    expect(asked.times).toBe(2);
  });

  it("is forgotten when its time is over, to the millisecond", async () => {
    const { ask, time } = asking();
    const policy = { cache: { ttlMs: 60_000 } };
    await ask(policy);
    const writtenAt = time.now();
    time.moveTo(writtenAt + 59_999);
    expect((await ask(policy)).cached).toBe(true);
    time.moveTo(writtenAt + 60_000);
    expect(await ask(policy)).toEqual({ n: 2, cached: false });
    expect((await ask(policy)).cached).toBe(true);
  });

  it("is not made from a failure", async () => {
    const { api, run, asked } = asking();
    const { Workflow, Task, outputs, service } = api;
    const workflow = service(() => (
      <Workflow name="fails">
        <Task id="ask" output={outputs.answer} cache={{}} retries={0}>
          {() => {
            asked.times += 1;
            if (asked.times === 1) throw new Error("once");
            return { n: asked.times };
          }}
        </Task>
      </Workflow>
    ));
    expect((await run(workflow, { runId: "a" })).status).toBe("failed");
    expect((await run(workflow, { runId: "b" })).status).toBe("finished");
    expect(asked.times).toBe(2);
  });
});

describe("a compute task", () => {
  /** Computes with `fn` in a run of its own. */
  function computing() {
    const scene = openScene(schemas);
    const { Workflow, Task, outputs, service } = scene.api;
    let runs = 0;
    const compute = async (
      fn: (inputs: object, runtime: TaskRuntime) => { n: number },
      options: { cache?: boolean; byOption?: boolean } = {},
    ) => {
      runs += 1;
      const workflow = service(
        () => (
          <Workflow name="computing" {...(options.cache && { cache: true })}>
            <Task
              id="compute"
              output={outputs.answer}
              {...(!options.cache && !options.byOption && { cache: {} })}
            >
              {fn}
            </Task>
          </Workflow>
        ),
        options.byOption ? { cache: true } : {},
      );
      await scene.run(workflow, { runId: `run-${runs}` });
      return (await scene.events("NodeFinished", `run-${runs}`))[0]?.cached ?? false;
    };
    return { ...scene, compute };
  }

  it("is asked again when its code has changed", async () => {
    const { compute } = computing();
    expect(await compute(() => ({ n: 1 }))).toBe(false);
    expect(await compute(() => ({ n: 1 }))).toBe(true);
    expect(await compute(() => ({ n: 2 }))).toBe(false);
  });

  it.each([
    ["cache on the Workflow", { cache: true }],
    ["the option cache", { byOption: true }],
  ])("is cached by %s", async (_what, options) => {
    const { compute } = computing();
    const fn = () => ({ n: 1 });
    expect(await compute(fn, options)).toBe(false);
    expect(await compute(fn, options)).toBe(true);
  });

  it("is not cached by the option when the Workflow says that nothing is", async () => {
    const { run, events, api } = openScene(schemas);
    const { Workflow, Task, outputs, service } = api;
    const workflow = service(
      () => (
        <Workflow name="fresh" cache={false}>
          <Task id="compute" output={outputs.answer}>
            {() => ({ n: 1 })}
          </Task>
        </Workflow>
      ),
      { cache: true },
    );
    await run(workflow);
    await run(workflow, { runId: "again" });
    expect(await events("NodeFinished", "again")).toMatchObject([{ nodeId: "compute", attempt: 1 }]);
    expect((await events("NodeFinished", "again"))[0]).not.toHaveProperty("cached");
  });
});

const decisions = {
  decision: approvalDecision,
  choice: z.object({ selected: z.string(), notes: z.string().nullable() }),
  answer: z.object({ n: z.number() }),
};

describe("an approval with `cache`", () => {
  function gated(props: { onDeny?: "continue"; allowedUsers?: string[] } = {}) {
    const scene = openScene(decisions);
    const { Workflow, Approval, outputs, service } = scene.api;
    const workflowOf = (title: string) =>
      service(() => (
        <Workflow name="gated">
          <Approval
            id="ok"
            output={outputs.decision}
            request={{ title }}
            cache={{ ttlMs: 60_000 }}
            {...props}
          />
        </Workflow>
      ));
    return { ...scene, workflowOf };
  }

  it("takes over an approval of the same request, and says that it did", async () => {
    const { workflowOf, run, store, events, time } = gated();
    const workflow = workflowOf("Deploy?");
    expect((await run(workflow, { runId: "first" })).status).toBe("waiting-approval");
    await approveNode(workflow, { runId: "first", nodeId: "ok", decidedBy: "ada", note: "fine" });
    await run(workflow, { runId: "first", resume: true });
    time.moveTo(time.now() + 1_000);
    expect((await run(workflow, { runId: "second" })).status).toBe("finished");
    const [before, after] = [
      await store.getOutput("first", "decision", "ok", 0),
      await store.getOutput("second", "decision", "ok", 0),
    ];
    expect(after).toEqual(before);
    expect(after).toMatchObject({ approved: true, decidedBy: "ada", note: "fine" });
    expect(await events("NodeFinished", "second")).toMatchObject([{ nodeId: "ok", cached: true }]);
    expect(await store.listApprovals({ runId: "second", limit: 10 })).toMatchObject([
      { status: "approved", autoApproved: true, decision: { fromCache: true, decidedBy: "ada" } },
    ]);
  });

  it("asks again for another request, and when its time is over", async () => {
    const { workflowOf, run, time } = gated();
    const workflow = workflowOf("Deploy?");
    await run(workflow, { runId: "first" });
    await approveNode(workflow, { runId: "first", nodeId: "ok" });
    await run(workflow, { runId: "first", resume: true });
    expect((await run(workflowOf("Delete?"), { runId: "other" })).status).toBe("waiting-approval");
    time.moveTo(time.now() + 120_000);
    expect((await run(workflow, { runId: "late" })).status).toBe("waiting-approval");
  });

  it("keeps no denial", async () => {
    const { workflowOf, run } = gated({ onDeny: "continue" });
    const workflow = workflowOf("Deploy?");
    await run(workflow, { runId: "first" });
    await denyNode(workflow, { runId: "first", nodeId: "ok" });
    expect((await run(workflow, { runId: "first", resume: true })).status).toBe("finished");
    expect((await run(workflow, { runId: "second" })).status).toBe("waiting-approval");
  });

  it("keeps no automatic approval", async () => {
    const { api, run } = openScene(decisions);
    const { Workflow, Approval, outputs, service } = api;
    const workflowOf = (isAutomatic: boolean) =>
      service(() => (
        <Workflow name="automatic">
          <Approval
            id="ok"
            output={outputs.decision}
            request={{ title: "Deploy?" }}
            cache={{}}
            autoApprove={{ condition: () => isAutomatic }}
          />
        </Workflow>
      ));
    expect((await run(workflowOf(true), { runId: "first" })).status).toBe("finished");
    expect((await run(workflowOf(false), { runId: "second" })).status).toBe("waiting-approval");
  });

  it("takes over what was selected", async () => {
    const { api, run, store } = openScene(decisions);
    const { Workflow, Approval, outputs, service } = api;
    const workflow = service(() => (
      <Workflow name="choosing">
        <Approval
          id="pick"
          mode="select"
          options={[
            { key: "a", label: "A" },
            { key: "b", label: "B" },
          ]}
          output={outputs.choice}
          request={{ title: "Which?" }}
          cache={{}}
        />
      </Workflow>
    ));
    await run(workflow, { runId: "first" });
    await approveNode(workflow, { runId: "first", nodeId: "pick", selected: "b" });
    await run(workflow, { runId: "first", resume: true });
    expect((await run(workflow, { runId: "second" })).status).toBe("finished");
    expect(await store.getOutput("second", "choice", "pick", 0)).toMatchObject({ selected: "b" });
  });
});

describe("a task whose row is an object, with `cache`", () => {
  it("is answered by that object", async () => {
    const { api, run, events } = openScene(decisions);
    const { Workflow, Task, outputs, service } = api;
    const workflowOf = (n: number) =>
      service(() => (
        <Workflow name="given">
          <Task id="given" output={outputs.answer} cache={{}}>
            {{ n }}
          </Task>
        </Workflow>
      ));
    await run(workflowOf(1), { runId: "a" });
    await run(workflowOf(1), { runId: "b" });
    await run(workflowOf(2), { runId: "c" });
    const cached = async (runId: string) => (await events("NodeFinished", runId))[0]?.cached ?? false;
    expect([await cached("a"), await cached("b"), await cached("c")]).toEqual([false, true, false]);
  });
});
