import { createService } from "treadle";
import { z } from "zod";

// One table per key. `input` is what a run is started with, rows of `output` are its result.
const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ name: z.string().optional() }),
  greeting: z.object({ text: z.string() }),
  output: z.object({ text: z.string(), letters: z.number().int() }),
});

export default service((ctx) => (
  <Workflow name="hello">
    <Sequence>
      {/* The child of a task is its row, or a function that returns it. */}
      <Task id="greet" output={outputs.greeting}>
        {{ text: `Hello, ${ctx.input.name ?? "world"}!` }}
      </Task>
      {/* `deps` hands over the rows of earlier tasks. */}
      <Task id="count" output={outputs.output} deps={{ greet: outputs.greeting }}>
        {({ greet }) => ({ text: greet.text, letters: greet.text.replace(/\W/g, "").length })}
      </Task>
    </Sequence>
  </Workflow>
));
