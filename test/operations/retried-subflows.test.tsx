import { join } from "node:path";
import {
  createService,
  getRun,
  listRuns,
  retryTask,
  runWorkflow,
  type ServiceWorkflow,
  signalRun,
} from "treadle";
import { expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../support/temporary-folder.js";

function folder(): string {
  return temporaryFolder("retried");
}

function database(path: string) {
  return createService(
    {
      input: z.object({ n: z.number().optional() }),
      row: z.object({ n: z.number() }),
      output: z.object({ n: z.number() }),
    },
    { dbPath: path },
  );
}

/** A parent that hands a number to its child, which has a child of its own. `seen` are the inputs that the innermost got. */
function family({
  ownDatabase = false,
  fails = () => false,
  waits = false,
}: {
  ownDatabase?: boolean;
  fails?: () => boolean;
  waits?: boolean;
} = {}) {
  const at = folder();
  const { Workflow, Sequence, Task, Subflow, service, outputs } = database(join(at, "parent.db"));
  const seen: number[] = [];
  let numbers = 0;
  const inner = database(join(at, ownDatabase ? "child.db" : "parent.db"));
  const leaf = inner.service((ctx) => (
    <inner.Workflow name="leaf">
      <inner.Sequence>
        {waits ? <inner.Signal id="go" schema={inner.outputs.row} /> : null}
        <inner.Task id="work" output={inner.outputs.output} noRetry>
          {() => {
            const n = ctx.input.n ?? -1;
            seen.push(n);
            if (fails()) throw new Error("the leaf is broken");
            return { n: n * 10 };
          }}
        </inner.Task>
      </inner.Sequence>
    </inner.Workflow>
  ));
  const child = inner.service((ctx) => (
    <inner.Workflow name="child">
      <inner.Subflow
        id="leaf"
        workflow={leaf}
        input={{ n: ctx.input.n }}
        output={inner.outputs.output}
        retries={0}
      />
    </inner.Workflow>
  ));
  const workflow = service((ctx) => (
    <Workflow name="parent">
      <Sequence>
        <Task id="number" output={outputs.row}>
          {() => ({ n: (numbers += 1) })}
        </Task>
        <Subflow
          id="sub"
          workflow={child}
          input={{ n: ctx.outputMaybe("row", { nodeId: "number" })?.n }}
          output={outputs.row}
          retries={0}
        />
        <Task id="end" output={outputs.output}>
          {() => ({ n: ctx.outputMaybe("row", { nodeId: "sub" })?.n ?? -1 })}
        </Task>
      </Sequence>
    </Workflow>
  ));
  return { workflow, seen, child };
}

const resume = (workflow: ServiceWorkflow) => runWorkflow(workflow, { runId: "run", resume: true });

test.each([false, true])(
  "a subflow gets the new data of a retried task (a database of its own: %s)",
  async (ownDatabase) => {
    const { workflow, seen } = family({ ownDatabase });
    expect((await runWorkflow(workflow, { runId: "run", input: {} })).output).toEqual({ n: 10 });
    await retryTask(workflow, { runId: "run", nodeId: "number" });
    expect((await resume(workflow)).output).toEqual({ n: 20 });
    expect(seen).toEqual([1, 2]);
  },
);

test("a subflow that finished runs again when it is retried, and not for a preview", async () => {
  const { workflow, seen } = family();
  await runWorkflow(workflow, { runId: "run", input: {} });
  await retryTask(workflow, { runId: "run", nodeId: "sub", dryRun: true });
  expect((await getRun(workflow, "run:sub:0")).status).toBe("finished");
  const { resetNodes } = await retryTask(workflow, { runId: "run", nodeId: "sub" });
  expect(resetNodes).toEqual(["sub::0", "end::0"]);
  expect((await listRuns(workflow, {})).runs.map(({ runId }) => runId)).toEqual(["run"]);
  expect((await resume(workflow)).output).toEqual({ n: 10 });
  expect(seen).toEqual([1, 1]);
});

test("a failed child continues where it is when its node is retried, and begins anew behind a retried task", async () => {
  let isBroken = true;
  const { workflow, seen } = family({ fails: () => isBroken });
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("failed");
  const { createdAtMs } = await getRun(workflow, "run:sub:0");
  await retryTask(workflow, { runId: "run", nodeId: "sub" });
  expect((await getRun(workflow, "run:sub:0")).createdAtMs).toBe(createdAtMs);
  expect((await resume(workflow)).status).toBe("failed");
  await retryTask(workflow, { runId: "run", nodeId: "number" });
  await expect(getRun(workflow, "run:sub:0")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  isBroken = false;
  expect((await resume(workflow)).output).toEqual({ n: 20 });
  expect(seen).toEqual([1, 1, 2]);
});

test("a child that waits is ended and begins anew", async () => {
  const { workflow, seen } = family({ waits: true });
  expect((await runWorkflow(workflow, { runId: "run", input: {} })).status).toBe("waiting-event");
  const told = await retryTask(workflow, { runId: "run", nodeId: "number" });
  expect(told).toMatchObject({ success: true, resetNodes: ["number::0", "sub::0", "end::0"] });
  expect((await listRuns(workflow, {})).runs.map(({ runId }) => runId)).toEqual(["run"]);
  expect((await resume(workflow)).status).toBe("waiting-event");
  await signalRun(workflow, { runId: "run:sub:0:leaf:0", signal: "go", data: { n: 0 } });
  expect((await resume(workflow)).output).toEqual({ n: 20 });
  expect(seen).toEqual([2]);
});
