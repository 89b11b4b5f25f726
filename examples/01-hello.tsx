/**
 * 1. Hello: schemas, tasks, and how data gets from one to the next.
 *
 *     npx treadle up examples/01-hello.tsx --set name=Ada
 *     npx treadle inspect latest
 */
import { createService } from "treadle";
import { z } from "zod";

// One schema per kind of row. `input` is what the run is started with, `output` is what it returns.
const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ name: z.string().optional() }),
  greeting: z.object({ text: z.string() }),
  output: z.object({ text: z.string(), letters: z.int() }),
});

export default service((ctx) => (
  <Workflow name="hello">
    <Sequence>
      {/* A task that states its row. */}
      <Task id="greet" output={outputs.greeting}>
        {{ text: `Hello, ${ctx.input.name ?? "world"}!` }}
      </Task>
      {/* A task that computes its row. `deps` hands it the row of the task `greet`. */}
      <Task id="count" output={outputs.output} deps={{ greet: outputs.greeting }}>
        {({ greet }) => ({ text: greet.text, letters: greet.text.match(/\p{L}/gu)?.length ?? 0 })}
      </Task>
    </Sequence>
  </Workflow>
));
