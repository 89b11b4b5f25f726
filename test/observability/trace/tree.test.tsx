import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type AgentLike,
  approvalDecision,
  approveNode,
  cancelRun,
  defineTool,
  denyNode,
  runWorkflow,
  signalRun,
} from "../../../src/index.js";
import { openScene } from "../../support/engine/scene.js";
import { exportTo } from "../support/collector.js";
import { expectNested, expectTree } from "../support/span-tree.js";

const schemas = {
  row: z.object({ n: z.number() }),
  output: z.object({ n: z.number() }),
  gate: approvalDecision,
};

describe("a run that waits for a decision", () => {
  it("is one tree with the wait in it, from the question to the answer", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, drive, resume, time } = openScene(schemas);
    const { Workflow, Approval, Sequence, Task, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="asking">
        <Sequence>
          <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
          <Task id="go" output={outputs.row}>
            {{ n: 1 }}
          </Task>
        </Sequence>
      </Workflow>
    ));
    const askedMs = time.now();
    await drive(workflow);
    await approveNode(workflow, { runId: "run", nodeId: "gate" });
    await time.sleepThrough(3_600_000);
    expect((await resume(workflow)).status).toBe("finished");
    await flush();
    const root = expectTree(spans);
    expect(root.name).toBe("run asking");
    const wait = span("wait gate");
    expect(wait.attributes).toEqual({
      "treadle.run.id": "run",
      "treadle.node.id": "gate",
      "treadle.node.iteration": 0,
      "treadle.wait.kind": "approval",
      "treadle.wait.outcome": "granted",
    });
    expect(wait.startMs).toBeCloseTo(askedMs, 1);
    // Decided at once, and taken up an hour later.
    expect(wait.endMs - wait.startMs).toBeLessThan(3_600_000);
    expect(root.endMs - root.startMs).toBeGreaterThanOrEqual(3_600_000);
    const drives = spans.filter(({ name }) => name.startsWith("drive "));
    expect(drives.map(({ attributes }) => attributes["treadle.run.status"])).toEqual([
      "waiting-approval",
      "finished",
    ]);
  });

  it.each(["fail", "continue"] as const)("shows that it was denied, onDeny=%s", async (onDeny) => {
    const { flush, spans, span } = await exportTo();
    const { api, drive, resume } = openScene(schemas);
    const { Workflow, Approval, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="asking">
        <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} onDeny={onDeny} />
      </Workflow>
    ));
    await drive(workflow);
    await denyNode(workflow, { runId: "run", nodeId: "gate" });
    await resume(workflow);
    await flush();
    expectTree(spans);
    expect(span("wait gate").attributes["treadle.wait.outcome"]).toBe("denied");
  });

  it("shows the gate of a task", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, drive, resume } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="gated">
        <Task id="pay" output={outputs.row} needsApproval>
          {{ n: 1 }}
        </Task>
      </Workflow>
    ));
    await drive(workflow);
    await denyNode(workflow, { runId: "run", nodeId: "pay" });
    await resume(workflow);
    await flush();
    expectTree(spans);
    expect(span("wait pay").attributes["treadle.wait.outcome"]).toBe("denied");
    expect(span("run gated").attributes["treadle.run.status"]).toBe("failed");
  });
});

describe("waits for times and signals", () => {
  it("are spans with what became of them", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, run, resume, time } = openScene(schemas);
    const { Workflow, Parallel, Signal, Timer, WaitForEvent, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="waiting">
        <Parallel>
          <Timer id="nap" duration="1h" />
          <Signal id="go" schema={outputs.row} />
          <WaitForEvent
            id="never"
            event="never"
            output={outputs.row}
            timeoutMs={60_000}
            onTimeout="continue"
          />
        </Parallel>
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("waiting-event");
    await time.sleepThrough(3_600_001);
    await signalRun(workflow, { runId: "run", signal: "go", data: { n: 1 } });
    const { status, error } = await resume(workflow);
    expect(error).toBeUndefined();
    expect(status).toBe("finished");
    await flush();
    expectTree(spans);
    const outcome = (name: string) => span(name).attributes["treadle.wait.outcome"];
    expect([outcome("wait nap"), outcome("wait go"), outcome("wait never")]).toEqual([
      "fired",
      "received",
      "timed-out",
    ]);
    expect(span("wait nap").endMs - span("wait nap").startMs).toBeGreaterThanOrEqual(3_600_000);
  });
});

describe("a run that is cancelled while no process drives it", () => {
  it("has its root, and says what became of the wait", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, drive } = openScene(schemas);
    const { Workflow, Approval, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="asking">
        <Approval id="gate" output={outputs.gate} request={{ title: "Go?" }} />
      </Workflow>
    ));
    await drive(workflow);
    await cancelRun(workflow, { runId: "run" });
    await flush();
    expectTree(spans);
    expect(span("run asking").attributes["treadle.run.status"]).toBe("cancelled");
    expect(span("wait gate").attributes["treadle.wait.outcome"]).toBe("cancelled");
  });
});

describe("a run that failed and is resumed", () => {
  it("has a span for each time that it ended, in one trace, each naming the one before", async () => {
    const { flush, spans } = await exportTo();
    const { api, run, resume } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    let tries = 0;
    const workflow = service(() => (
      <Workflow name="again">
        <Task id="try" output={outputs.row} retries={0}>
          {() => {
            tries += 1;
            if (tries < 3) throw new Error("No.");
            return { n: 1 };
          }}
        </Task>
      </Workflow>
    ));
    await run(workflow);
    await resume(workflow);
    expect((await resume(workflow)).status).toBe("finished");
    await flush();
    expectNested(spans);
    const roots = spans.filter(({ name }) => name === "run again");
    expect(roots.map(({ attributes }) => attributes["treadle.run.status"])).toEqual([
      "failed",
      "failed",
      "finished",
    ]);
    const ids = roots.map(({ spanId, traceId }) => ({ spanId, traceId }));
    expect(roots.map(({ links }) => links[0])).toEqual([undefined, ids[0], ids[1]]);
    expect(spans.filter(({ name }) => name === "task try").map(({ parentSpanId }) => parentSpanId)).toEqual(
      ids.map(({ spanId }) => spanId),
    );
  });
});

describe("a run that is named as the parent of another", () => {
  it("is no span above it: it may have ended long ago, in a trace of its own", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="plain">
        <Task id="do" output={outputs.row}>
          {{ n: 1 }}
        </Task>
      </Workflow>
    ));
    await run(workflow, { parentRunId: "another" });
    await flush();
    expectTree(spans);
    expect(span("run plain").parentSpanId).toBe("");
  });
});

describe("an approval that a rule grants", () => {
  it("is shown, with who granted it", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, Approval, service, outputs } = api;
    const workflow = service(() => (
      <Workflow name="trusting">
        <Approval
          id="gate"
          output={outputs.gate}
          request={{ title: "Go?" }}
          autoApprove={{ condition: () => true, audit: true }}
        />
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("finished");
    await flush();
    expectTree(spans);
    expect(span("wait gate").attributes["treadle.wait.outcome"]).toBe("auto-approved");
  });
});

describe("what a task does after its end", () => {
  it("lies below the run, which is still there", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, Sequence, Task, service, outputs } = api;
    const weigh = defineTool({
      name: "weigh",
      description: "Weighs.",
      schema: z.object({}),
      execute: async () => ({ grams: 3 }),
    });
    let begin = () => {};
    let late: Promise<unknown> | undefined;
    const workflow = service(() => (
      <Workflow name="careless">
        <Sequence>
          <Task id="early" output={outputs.row}>
            {() => {
              late = new Promise<void>((resolve) => (begin = resolve)).then(() => weigh.execute({}));
              return { n: 1 };
            }}
          </Task>
          <Task id="next" output={outputs.row}>
            {async () => {
              begin();
              await late;
              return { n: 2 };
            }}
          </Task>
        </Sequence>
      </Workflow>
    ));
    expect((await run(workflow)).status).toBe("finished");
    await flush();
    expectTree(spans);
    expect(span("execute_tool weigh").parentSpanId).toBe(span("run careless").spanId);
  });
});

describe("what does not end with its task", () => {
  it("ends with it in the trace, and lies within its times", async () => {
    const { flush, spans, span } = await exportTo();
    const { api, run } = openScene(schemas);
    const { Workflow, Task, service, outputs } = api;
    let answer = () => {};
    const slow: AgentLike = {
      id: "slow",
      generate: () => new Promise((resolve) => (answer = () => resolve({ output: { n: 1 } }))),
    };
    const workflow = service(() => (
      <Workflow name="impatient">
        <Task id="ask" output={outputs.row} agent={slow} timeoutMs={20} retries={0}>
          How heavy?
        </Task>
      </Workflow>
    ));
    await run(workflow);
    answer();
    await flush();
    expectTree(spans);
    expect(span("invoke_agent slow").parentSpanId).toBe(span("task ask").spanId);
  });
});

describe("the run of a subflow", () => {
  const opened = () => {
    const { api } = openScene(schemas);
    const { Workflow, Approval, Sequence, Subflow, Task, service, outputs } = api;
    const child = service(() => (
      <Workflow name="child">
        <Sequence>
          <Approval id="inner" output={outputs.gate} request={{ title: "Go?" }} />
          <Task id="done" output={outputs.output}>
            {{ n: 1 }}
          </Task>
        </Sequence>
      </Workflow>
    ));
    const workflow = service(() => (
      <Workflow name="parent">
        <Subflow id="sub" workflow={child} output={outputs.row} />
      </Workflow>
    ));
    return { workflow, child };
  };

  it("lies below the run that asks for it, also when both wait", async () => {
    const { flush, spans, span } = await exportTo();
    const { workflow, child } = opened();
    const { status, runId } = await runWorkflow(workflow, { input: {} });
    expect(status).toBe("waiting-approval");
    const childId = `${runId}:sub:0`;
    await approveNode(child, { runId: childId, nodeId: "inner" });
    expect((await runWorkflow(workflow, { runId, resume: true })).status).toBe("finished");
    await flush();
    expect(expectTree(spans).name).toBe("run parent");
    expect(span("run child").parentSpanId).toBe(span("run parent").spanId);
    expect(span("wait inner").parentSpanId).toBe(span("run child").spanId);
  });

  it("ends within it when it is cancelled with it", async () => {
    const { flush, spans, span } = await exportTo();
    const { workflow } = opened();
    const { runId } = await runWorkflow(workflow, { input: {} });
    await cancelRun(workflow, { runId });
    await flush();
    expectTree(spans);
    expect(span("run child").attributes["treadle.run.status"]).toBe("cancelled");
  });
});
