import { fileURLToPath } from "node:url";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Task, service, outputs } = createService(
  {
    input: z.object({ customer: z.string(), cents: z.array(z.number().int()) }),
    sum: z.object({ cents: z.number().int() }),
    output: z.object({ text: z.string() }),
  },
  // Beside this file, from whichever package a run is started: they share one database.
  { dbPath: fileURLToPath(new URL("service.db", import.meta.url)) },
);

export default service((ctx) => (
  <Workflow name="invoice">
    <Sequence>
      <Task id="add" output={outputs.sum}>
        {() => ({ cents: ctx.input.cents.reduce((sum, each) => sum + each, 0) })}
      </Task>
      <Task id="write" output={outputs.output} deps={{ add: outputs.sum }}>
        {({ add }) => ({ text: `${ctx.input.customer} owes ${(add.cents / 100).toFixed(2)}.` })}
      </Task>
    </Sequence>
  </Workflow>
));
