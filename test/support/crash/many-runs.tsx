import { appendFileSync } from "node:fs";
import { z } from "zod";
import { createService, runWorkflow, ServiceDb } from "../../../src/index.js";
import type { RunWrite, Store } from "../../../src/store/contract.js";

/**
 * Drives runs of a few steps at once, starting those that do not exist and resuming the others:
 *   program DATABASE TRAIL RUNS GROUP
 * Dies by SIGKILL in the middle of the GROUP-th write that several runs share, when the
 * statements of the first half of them have been executed; 0 = not at all.
 */
const [, , database = "", trail = "", runs = "0", group = "0"] = process.argv;
const STEPS = ["one", "two", "three"] as const;

const { Workflow, Sequence, Task, service, outputs, db } = createService(
  { step: z.object({ text: z.string() }) },
  { dbPath: database },
);

const workflow = service((ctx) => (
  <Workflow name="many">
    <Sequence>
      {STEPS.map((id) => (
        <Task key={id} id={id} output={outputs.step}>
          {() => {
            appendFileSync(trail, `${ctx.runId} ${id}\n`);
            return { text: `${ctx.runId} ${id}` };
          }}
        </Task>
      ))}
    </Sequence>
  </Workflow>
));

const { store } = new ServiceDb(db);
dieInGroup(store, Number(group));
const runIds = Array.from({ length: Number(runs) }, (_, index) => `run-${index}`);
const ended = await Promise.all(
  runIds.map(async (runId) => {
    const known = await store.getRun(runId);
    const { status } = await runWorkflow(workflow, { runId, input: {}, resume: known !== undefined });
    return status;
  }),
);
process.stdout.write(JSON.stringify(ended));

function dieInGroup(target: Store, number: number): void {
  const writeTogether = target.writeTogether.bind(target);
  let count = 0;
  target.writeTogether = (writes) => {
    count += 1;
    return writeTogether(count === number ? writes.map(deadlyInTheMiddle) : writes);
  };
}

function deadlyInTheMiddle(write: RunWrite, index: number, all: readonly RunWrite[]): RunWrite {
  if (index < Math.floor(all.length / 2)) return write;
  const die = () => process.kill(process.pid, "SIGKILL");
  // Read while the statements of this run are made: those before it have been executed by then.
  return write.type === "create"
    ? { ...write, run: Object.defineProperty({ ...write.run }, "input", { get: die }) }
    : { ...write, commit: Object.defineProperty({ ...write.commit }, "nodes", { get: die }) };
}
