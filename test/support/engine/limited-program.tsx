import { z } from "zod";
import { createService, runWorkflow } from "../../../src/index.js";

// One of several processes whose runs share a limit. It says when each task begins, and ends its own when stdin ends.
const [, , database = "", runId = "", count = "1", kind = "works", concurrency = "1"] = process.argv;
const { Workflow, Task, Parallel, service, outputs } = createService(
  { row: z.object({ n: z.number() }) },
  { dbPath: database, limits: { "model-x": { concurrency: Number(concurrency) } } },
);

const workflow = service(() => (
  <Workflow name="limited">
    <Parallel>
      {Array.from({ length: Number(count) }, (_, n) => (
        <Task key={n} id={`t-${n}`} output={outputs.row} limit="model-x">
          {async () => {
            process.stdout.write(`${runId} t-${n}\n`);
            if (kind === "holds") await new Promise((resolve) => process.stdin.once("end", resolve).resume());
            else await new Promise((resolve) => setTimeout(resolve, 10));
            return { n };
          }}
        </Task>
      ))}
    </Parallel>
  </Workflow>
));

const { status } = await runWorkflow(workflow, { runId, input: {} });
process.stdout.write(`${status}\n`);
