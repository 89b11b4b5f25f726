import { expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { type Collector, type ReceivedSpan, startCollector } from "../support/collector.js";
import { expectTree } from "../support/span-tree.js";

/** Spans of a run that has ended, in all processes, as one tree: what lies below what, and when. */
function treeOf({ spans }: Collector, run: string): { names: string[]; root: ReceivedSpan } {
  const root = expectTree(spans);
  expect(root.name).toBe(run);
  return {
    names: spans.map(({ name }) => name).filter((name) => name !== "frame"),
    root,
  };
}

function traced({ endpoint }: Collector) {
  return { env: { SERVICE_OTEL_ENABLED: "1", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } };
}

const HEAD = `
  import { approvalDecision, createService } from "treadle";
  import { z } from "zod";
  const { Workflow, Task, Approval, Subflow, service, outputs } = createService({
    row: z.object({ n: z.number() }),
    gate: approvalDecision,
  });
`;

const ASKS = `${HEAD}
  export default service(() => (
    <Workflow name="asks">
      <Task id="before" output={outputs.row}>{() => ({ n: 1 })}</Task>
      <Approval id="gate" output={outputs.gate} request={{ title: "Continue?" }} onDeny="continue" />
      <Task id="after" output={outputs.row}>{() => ({ n: 2 })}</Task>
    </Workflow>
  ));
`;

it.each([
  ["approve", "granted", undefined],
  ["deny", "denied", "The request was denied."],
])(
  "a run that waits for an answer and is resumed by another process is one tree: %s",
  async (decide, outcome, failure) => {
    const collector = await startCollector();
    const workspace = new Workspace({ "asks.tsx": ASKS });
    const env = traced(collector);
    await workspace.run(["up", "asks.tsx", "--run-id", "one"], env);
    await workspace.run([decide, "one", "gate", "--yes"], env);
    expect((await workspace.run(["up", "asks.tsx", "--run-id", "one", "--resume"], env)).code).toBe(0);
    const { names, root } = treeOf(collector, "run asks");
    expect(names.filter((name) => name === "drive asks")).toHaveLength(2);
    expect(names).toEqual(expect.arrayContaining(["task before", "wait gate", "task after"]));
    expect(root.attributes["treadle.run.status"]).toBe("finished");
    const wait = collector.span("wait gate");
    expect(wait).toMatchObject({
      failure,
      attributes: { "treadle.wait.kind": "approval", "treadle.wait.outcome": outcome },
    });
    const [first] = collector.spans.filter(({ name }) => name === "drive asks");
    expect(wait.startMs).toBeLessThanOrEqual(first?.endMs as number);
    expect(wait.endMs).toBeGreaterThan(first?.endMs as number);
  },
);

it("a run that is cancelled while it waits is one tree, which the command sends that has ended it", async () => {
  const collector = await startCollector();
  const workspace = new Workspace({ "asks.tsx": ASKS });
  const env = traced(collector);
  await workspace.run(["up", "asks.tsx", "--run-id", "one"], env);
  await workspace.run(["cancel", "one"], env);
  const { root } = treeOf(collector, "run asks");
  expect(root.attributes["treadle.run.status"]).toBe("cancelled");
  expect(collector.span("wait gate").attributes["treadle.wait.outcome"]).toBe("cancelled");
});

const DIES = `${HEAD}
  import { existsSync, writeFileSync } from "node:fs";
  export default service(() => (
    <Workflow name="dies">
      <Task id="before" output={outputs.row}>{() => ({ n: 1 })}</Task>
      <Task id="fatal" output={outputs.row}>
        {async () => {
          if (existsSync("died")) return { n: 2 };
          writeFileSync("died", "");
          process.kill(process.pid, "SIGKILL");
          await new Promise(() => {});
        }}
      </Task>
    </Workflow>
  ));
`;

it("a run whose process was killed is one tree, with the attempt that was cut off", async () => {
  const collector = await startCollector();
  const workspace = new Workspace({ "dies.tsx": DIES });
  const env = traced(collector);
  expect((await workspace.run(["up", "dies.tsx", "--run-id", "one"], env)).signal).toBe("SIGKILL");
  expect((await workspace.run(["up", "dies.tsx", "--run-id", "one", "--resume", "--force"], env)).code).toBe(
    0,
  );
  treeOf(collector, "run dies");
  const attempts = collector.spans.filter(({ name }) => name === "task fatal");
  expect(attempts.map(({ attributes }) => attributes["treadle.node.status"])).toEqual([
    "interrupted",
    "finished",
  ]);
});

const DIES_IN_CALL = `${HEAD}
  import { existsSync, writeFileSync } from "node:fs";
  import { defineTool } from "treadle";
  import { installServiceObservability } from "treadle/observability";
  const { flush } = installServiceObservability({ enabled: false, installLogger: false });
  const weigh = defineTool({
    name: "weigh",
    description: "Weighs.",
    schema: z.object({}),
    execute: async () => ({ grams: 3 }),
  });
  const keeper = {
    id: "keeper",
    async generate() {
      await weigh.execute({});
      await flush();
      if (!existsSync("died")) {
        writeFileSync("died", "");
        process.kill(process.pid, "SIGKILL");
        await new Promise(() => {});
      }
      return { output: { n: 1 } };
    },
  };
  export default service(() => (
    <Workflow name="dies">
      <Task id="before" output={outputs.row}>{() => ({ n: 1 })}</Task>
      <Task id="fatal" output={outputs.row} agent={keeper}>How heavy?</Task>
    </Workflow>
  ));
`;

it("a run whose process was killed while an agent worked is one tree: no call arrives without what called it", async () => {
  const collector = await startCollector();
  const workspace = new Workspace({ "dies.tsx": DIES_IN_CALL });
  const env = traced(collector);
  expect((await workspace.run(["up", "dies.tsx", "--run-id", "one"], env)).signal).toBe("SIGKILL");
  expect(collector.spans.map(({ name }) => name)).toContain("task before");
  expect((await workspace.run(["up", "dies.tsx", "--run-id", "one", "--resume", "--force"], env)).code).toBe(
    0,
  );
  const { names } = treeOf(collector, "run dies");
  expect(names.filter((name) => name === "task fatal")).toHaveLength(2);
  expect(names).toContain("execute_tool weigh");
});

const HANGS = `${HEAD}
  import { existsSync, writeFileSync } from "node:fs";
  export default service(() => (
    <Workflow name="hangs">
      <Task id="first" output={outputs.row}>
        {async (_inputs, { signal }) => {
          if (existsSync("begun")) return { n: 2 };
          writeFileSync("begun", "");
          console.log("has begun");
          await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        }}
      </Task>
    </Workflow>
  ));
`;

it("a run that is taken from a process which only slept is one tree: spans of both are sent once", async () => {
  const collector = await startCollector();
  const workspace = new Workspace({ "hangs.tsx": HANGS });
  const env = traced(collector);
  const asleep = workspace.start(["up", "hangs.tsx", "--run-id", "one"], env);
  await asleep.seen("has begun");
  asleep.process.kill("SIGSTOP");
  const resumed = await workspace.run(["up", "hangs.tsx", "--run-id", "one", "--resume", "--force"], env);
  asleep.process.kill("SIGCONT");
  expect(resumed.code, resumed.stderr).toBe(0);
  await asleep.done;
  treeOf(collector, "run hangs");
  const attempts = collector.spans.filter(({ name }) => name === "task first");
  expect(attempts.map(({ attributes }) => attributes["treadle.node.status"])).toEqual([
    "interrupted",
    "finished",
  ]);
});

const PARENT = `${HEAD}
  import asks from "./asks.js";
  export default service(() => (
    <Workflow name="parent">
      <Subflow id="child" workflow={asks} output={outputs.row} input={{}} />
    </Workflow>
  ));
`;

it("a child run that waits lies in the tree of its parent", async () => {
  const collector = await startCollector();
  const workspace = new Workspace({ "asks.tsx": ASKS, "parent.tsx": PARENT });
  const env = traced(collector);
  await workspace.run(["up", "parent.tsx", "--run-id", "one"], env);
  await workspace.run(["approve", "one:child:0", "gate", "--yes"], env);
  await workspace.run(["up", "parent.tsx", "--run-id", "one", "--resume"], env);
  const { names } = treeOf(collector, "run parent");
  expect(names).toEqual(expect.arrayContaining(["run asks", "wait child", "wait gate"]));
});
