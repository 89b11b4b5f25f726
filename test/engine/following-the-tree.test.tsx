import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  approvalDecision,
  approveNode,
  listApprovals,
  signalRun,
  type WorkflowContext,
} from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";

const schemas = {
  kind: z.object({ is: z.string() }),
  num: z.object({ n: z.number() }),
  row: z.object({ v: z.string() }),
  wide: z.object({ a: z.number(), b: z.number(), c: z.number() }),
  decision: approvalDecision,
  choice: z.object({ selected: z.string(), notes: z.string().nullable() }),
};

type Context = WorkflowContext<typeof schemas>;

/** A workflow whose parts may look at what `kind` has said. */
function shaped(parts: (ctx: Context, kind: string | undefined) => ReactNode) {
  const scene = openScene(schemas);
  const { Workflow, Sequence, Parallel, Signal, Task, outputs, service } = scene.api;
  const workflow = service((ctx) => (
    <Workflow name="shaped">
      <Sequence>
        <Parallel>
          <Sequence>
            <Signal id="change" schema={outputs.kind} />
            <Task id="kind" output={outputs.kind}>
              {() => ctx.output("kind", { nodeId: "change" })}
            </Task>
          </Sequence>
          {parts(ctx, ctx.outputMaybe("kind", { nodeId: "kind" })?.is)}
        </Parallel>
        <Task id="last" output={outputs.row}>
          {{ v: "last" }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const change = async (is: string) => {
    await signalRun(workflow, { runId: "run", signal: "change", data: { is } });
    return scene.run(workflow, { runId: "run", resume: true });
  };
  return { ...scene, workflow, change };
}

describe("a task that has not run", () => {
  it("writes its row to the output of the newest frame", async () => {
    const scene = openScene(schemas);
    const { Workflow, Sequence, Task, outputs, service } = scene.api;
    const seen: unknown[] = [];
    const workflow = service((ctx) => {
      const kind = ctx.outputMaybe("kind", { nodeId: "kind" })?.is;
      seen.push([ctx.outputs.wide.length, ctx.outputs.row.length]);
      return (
        <Workflow name="turning">
          <Sequence>
            <Task id="kind" output={outputs.kind}>
              {{ is: "wide" }}
            </Task>
            {kind === "wide" ? (
              <Task id="handle" output={outputs.wide}>
                {() => ({ a: 1, b: 2, c: 3 })}
              </Task>
            ) : (
              <Task id="handle" output={outputs.row}>
                {() => ({ v: "r" })}
              </Task>
            )}
          </Sequence>
        </Workflow>
      );
    });
    expect((await scene.run(workflow)).status).toBe("finished");
    expect(seen.at(-1)).toEqual([1, 0]);
    expect(await scene.store.listOutputs("run", "wide")).toEqual([{ a: 1, b: 2, c: 3 }]);
    expect(await scene.store.listOutputs("run", "row")).toEqual([]);
  });

  it("does so after its code has changed while the run waited", async () => {
    const scene = openScene(schemas);
    const { Workflow, Sequence, Task, Signal, outputs, service } = scene.api;
    const flow = (task: ReactNode) =>
      service(() => (
        <Workflow name="changed">
          <Sequence>
            <Signal id="go" schema={outputs.kind} />
            {task}
          </Sequence>
        </Workflow>
      ));
    const before = flow(
      <Task id="handle" output={outputs.num}>
        {() => ({ n: 1 })}
      </Task>,
    );
    const after = flow(
      <Task id="handle" output={outputs.wide} label="Handle it">
        {() => ({ a: 1, b: 2, c: 3 })}
      </Task>,
    );
    await scene.run(before);
    await signalRun(after, { runId: "run", signal: "go", data: { is: "x" } });
    const options = { runId: "run", resume: true, acceptWorkflowChange: true };
    expect((await scene.run(after, options)).status).toBe("finished");
    expect(await scene.store.getOutput("run", "wide", "handle", 0)).toEqual({ a: 1, b: 2, c: 3 });
    expect((await scene.node("handle"))?.label).toBe("Handle it");
  });

  it("shows the label of the newest frame", async () => {
    const { api, run, node } = openScene(schemas);
    const { Workflow, Sequence, Task, outputs, service } = api;
    const workflow = service((ctx) => (
      <Workflow name="labelled">
        <Sequence>
          <Task id="kind" output={outputs.kind}>
            {{ is: "blue" }}
          </Task>
          <Task
            id="paint"
            output={outputs.row}
            label={`Paint it ${ctx.outputMaybe("kind", { nodeId: "kind" })?.is ?? "somehow"}`}
          >
            {{ v: "done" }}
          </Task>
        </Sequence>
      </Workflow>
    ));
    await run(workflow);
    expect((await node("paint"))?.label).toBe("Paint it blue");
  });
});

describe("a node that waits", () => {
  it("becomes a task where the tree has one of its id", async () => {
    const scene = shaped((_ctx, kind) => {
      const { Approval, Task, outputs } = scene.api;
      return kind === undefined ? (
        <Approval id="k" output={outputs.decision} request={{ title: "Continue?" }} />
      ) : (
        <Task id="k" output={outputs.num}>
          {() => ({ n: 7 })}
        </Task>
      );
    });
    expect((await scene.run(scene.workflow)).status).toBe("waiting-approval");
    expect((await scene.change("task")).status).toBe("finished");
    expect(await scene.store.getOutput("run", "num", "k", 0)).toEqual({ n: 7 });
    expect(await listApprovals(scene.workflow, { runId: "run" })).toEqual([]);
  });

  it("takes signals of the newest output's shape", async () => {
    const scene = shaped((_ctx, kind) => {
      const { WaitForEvent, outputs } = scene.api;
      return <WaitForEvent id="e" event="news" output={kind === undefined ? outputs.num : outputs.row} />;
    });
    await scene.run(scene.workflow);
    await scene.change("row");
    const send = (data: unknown) => signalRun(scene.workflow, { runId: "run", signal: "news", data });
    await expect(send({ n: 1 })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await send({ v: "new" });
    expect((await scene.run(scene.workflow, { runId: "run", resume: true })).status).toBe("finished");
    expect(await scene.store.getOutput("run", "row", "e", 0)).toEqual({ v: "new" });
  });

  it("asks the newest question, of those who may answer it now", async () => {
    const scene = shaped((_ctx, kind) => {
      const { Approval, outputs } = scene.api;
      const keys = kind === undefined ? ["old", "both"] : ["new", "both"];
      return (
        <Approval
          id="pick"
          mode="select"
          output={outputs.choice}
          options={keys.map((key) => ({ key, label: key }))}
          request={{ title: kind ?? "first" }}
          allowedUsers={kind === undefined ? ["ada"] : ["bob"]}
        />
      );
    });
    await scene.run(scene.workflow);
    await scene.change("second");
    expect(await listApprovals(scene.workflow, { runId: "run" })).toMatchObject([
      { nodeId: "pick", status: "requested", request: { title: "second" }, allowedUsers: ["bob"] },
    ]);
    const pick = (decidedBy: string, selected: string) =>
      approveNode(scene.workflow, { runId: "run", nodeId: "pick", decidedBy, selected });
    await expect(pick("ada", "new")).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(pick("bob", "old")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await pick("bob", "new");
    expect((await scene.run(scene.workflow, { runId: "run", resume: true })).status).toBe("finished");
  });

  it("waits as long as the newest frame says, counted from its beginning", async () => {
    const scene = shaped((_ctx, kind) => {
      const { Approval, outputs } = scene.api;
      return (
        <Approval
          id="k"
          output={outputs.decision}
          request={{ title: "Continue?" }}
          {...(kind !== undefined && { timeoutMs: 60_000 })}
        />
      );
    });
    await scene.run(scene.workflow);
    const since = scene.time.now();
    scene.time.moveTo(since + 20_000);
    await scene.change("sooner");
    expect((await scene.node("k"))?.dueAtMs).toBe(since + 60_000);
  });

  it("is approved by its own rule as soon as a frame says that it holds", async () => {
    const scene = shaped((_ctx, kind) => {
      const { Approval, outputs } = scene.api;
      return (
        <Approval
          id="k"
          output={outputs.decision}
          request={{ title: "Continue?" }}
          autoApprove={{ condition: () => kind === "safe" }}
        />
      );
    });
    expect((await scene.run(scene.workflow)).status).toBe("waiting-approval");
    expect((await scene.change("safe")).status).toBe("finished");
    expect(await scene.store.getOutput("run", "decision", "k", 0)).toMatchObject({
      approved: true,
      decidedBy: "service:auto",
    });
  });
});
