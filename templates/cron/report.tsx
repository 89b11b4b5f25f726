import { readdir } from "node:fs/promises";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Task, service, outputs } = createService({
  // A schedule starts runs with the input {} unless it has one of its own: every field is optional.
  input: z.object({ ending: z.string().optional() }),
  output: z.object({ ending: z.string(), files: z.number().int() }),
});

export default service((ctx) => (
  <Workflow name="report">
    <Task id="count" output={outputs.output} retries={3}>
      {async (_rows, { rootDir }) => {
        const ending = ctx.input.ending ?? ".ts";
        const names = await readdir(rootDir);
        return { ending, files: names.filter((name) => name.endsWith(ending)).length };
      }}
    </Task>
  </Workflow>
));
