import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createService, runWorkflow, ServiceDb } from "treadle";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { databasePath } from "./support/database.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const TASKS = Array.from({ length: 7 }, (_, n) => `task-${n}`);

it("a run reads large rows that it does not hold any more from its database, also after it was resumed", async () => {
  const schemas = {
    input: z.object({}),
    row: z.object({ text: z.string() }),
    output: z.object({ of: z.string() }),
  };
  const api = createService(schemas, { dbPath: databasePath() });
  const { Workflow, Sequence, Task, outputs, service } = api;
  let fails = true;
  const workflow = service((ctx) => (
    <Workflow name="large">
      <Sequence>
        {TASKS.map((id) => (
          <Task key={id} id={id} output={outputs.row}>
            {{ text: id.padEnd(2 ** 20, "x") }}
          </Task>
        ))}
        <Task id="end" output={outputs.output} noRetry deps={{ row: outputs.row }} needs={{ row: "task-1" }}>
          {async ({ row }) => {
            await turnOfLoop();
            collectGarbage();
            if (fails) throw new Error("not yet");
            const texts = TASKS.map((nodeId) => ctx.output(outputs.row, { nodeId }).text.slice(0, 6));
            return { of: [row.text.slice(0, 6), ...texts].join(" ") };
          }}
        </Task>
      </Sequence>
    </Workflow>
  ));
  const { store } = new ServiceDb(api.db);
  const read = vi.spyOn(store, "outputAtOnce");
  expect(await runWorkflow(workflow, { input: {}, runId: "run" })).toMatchObject({ status: "failed" });
  fails = false;
  expect(await runWorkflow(workflow, { input: {}, runId: "run", resume: true })).toMatchObject({
    status: "finished",
    output: { of: ["task-1", ...TASKS].join(" ") },
  });
  expect(read.mock.calls.map(([, , nodeId]) => nodeId)).toContain("task-0");
});
