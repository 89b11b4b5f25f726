import { expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { type Collector, type ReceivedSpan, startCollector } from "../support/collector.js";

/** Spans of a run that has ended, in whichever processes, as one tree: what lies below what, and when. */
function treeOf({ spans }: Collector, run: string): { names: string[]; root: ReceivedSpan } {
  const [root, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === "");
  expect({ root: root?.name, others: others.map(({ name }) => name) }).toEqual({ root: run, others: [] });
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  expect(byId.size).toBe(spans.length);
  for (const span of spans) {
    expect(span.traceId).toBe(root?.traceId);
    if (span === root) continue;
    const parent = byId.get(span.parentSpanId) as ReceivedSpan;
    const times = (each: ReceivedSpan) => ({ name: each.name, startMs: each.startMs, endMs: each.endMs });
    const about = JSON.stringify({ span: times(span), parent: parent && times(parent) });
    expect(parent?.startMs, about).toBeLessThanOrEqual(span.startMs);
    expect(parent?.endMs, about).toBeGreaterThanOrEqual(span.endMs);
  }
  return {
    names: spans.map(({ name }) => name).filter((name) => name !== "frame"),
    root: root as ReceivedSpan,
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
