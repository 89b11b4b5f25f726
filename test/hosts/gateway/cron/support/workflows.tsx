import { join } from "node:path";
import { z } from "zod";
import { createService, type ServiceWorkflow } from "../../../../../src/index.js";

/** Needs no input; its row says who started it. */
export function counting(folder: string): ServiceWorkflow {
  const { Workflow, Task, service, outputs } = createService(
    { output: z.object({ by: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  return service((ctx) => (
    <Workflow name="count">
      <Task id="count" output={outputs.output}>
        {() => ({ by: JSON.stringify(ctx.auth) })}
      </Task>
    </Workflow>
  )) as unknown as ServiceWorkflow;
}
