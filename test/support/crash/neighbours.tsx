import { appendFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createService, runWorkflow, ServiceDb, superviseRuns } from "../../../src/index.js";
import { Gateway } from "../../../src/hosts/gateway/index.js";

/**
 * Drives runs some of which end their process by SIGKILL; ends by itself once all of them have ended.
 *   program ROLE DATABASE TRAIL RUNS
 * ROLE: `start` starts all of them at once, `supervise` and `gateway` take up those that are there. A run's id begins
 * with what it does: `healthy`, `killer`, `parent` (of a child that kills before its first task), `drawer` (which waits
 * for a moment and kills the process that resumes it in its first render).
 */
const [, , role = "", database = "", trail = "", runs = ""] = process.argv;

const { Workflow, Sequence, Task, Timer, Subflow, service, outputs, db } = createService(
  { step: z.object({ n: z.number() }) },
  { dbPath: database },
);

const die = () => process.kill(process.pid, "SIGKILL");

const healthy = service((ctx) => (
  <Workflow name="healthy">
    <Sequence>
      {[1, 2, 3].map((n) => (
        <Task key={n} id={`step-${n}`} output={outputs.step}>
          {async () => {
            appendFileSync(trail, `${ctx.runId} ${n}\n`);
            await pause(300);
            return { n };
          }}
        </Task>
      ))}
    </Sequence>
  </Workflow>
));

const killer = service((ctx) => (
  <Workflow name="killer">
    <Task id="kill" output={outputs.step}>
      {async () => {
        appendFileSync(trail, `${ctx.runId} kill\n`);
        await pause(300);
        die();
        return { n: 0 };
      }}
    </Task>
  </Workflow>
));

const deadly = service((ctx) => {
  appendFileSync(trail, `${ctx.runId} render\n`);
  die();
  return (
    <Workflow name="deadly">
      <Task id="never" output={outputs.step}>
        {{ n: 0 }}
      </Task>
    </Workflow>
  );
});

const parent = service(() => (
  <Workflow name="parent">
    <Subflow id="child" workflow={deadly} output={outputs.step} />
  </Workflow>
));

const drawer = service((ctx) => {
  if (role !== "start" && ctx.runId.startsWith("drawer")) {
    appendFileSync(trail, `${ctx.runId} render\n`);
    die();
  }
  return (
    <Workflow name="drawer">
      <Timer id="moment" duration="200ms" />
    </Workflow>
  );
});

const workflows = { healthy, killer, parent, drawer };
const runIds = runs.split(",");
const { store } = new ServiceDb(db);

if (role === "start") {
  for (const runId of runIds) {
    const workflow = workflows[runId.split("-")[0] as keyof typeof workflows];
    void runWorkflow(workflow, { runId, input: {}, maxInterruptions: 2 });
  }
} else if (role === "supervise") {
  void superviseRuns(workflows, { signal: new AbortController().signal, intervalMs: 100 });
} else {
  const gateway = new Gateway({ workspaceRoot: dirname(database) });
  for (const [key, workflow] of Object.entries(workflows)) gateway.register(key, workflow);
  await gateway.listen({ port: 0 });
}

for (;;) {
  await pause(50);
  await store.prepare();
  const all = await Promise.all(runIds.map((runId) => store.getRun(runId)));
  const isAtRest = (status = "running") =>
    role === "start" ? status !== "running" : status === "finished" || status === "failed";
  if (all.every((run) => isAtRest(run?.status))) process.exit(0);
}
