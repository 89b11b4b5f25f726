/**
 * 10. Workflows inside workflows.
 *
 *     npx treadle up examples/10-subflow.tsx --input '{"texts":["warp and weft","a loom"]}'
 *     npx treadle ps
 *
 * A child run is a run of its own, with its own id, rows and history; its result becomes the row of the
 * `Subflow`. With `mode="inline"` the other workflow's tree becomes part of this run instead, and its
 * tasks write to this workflow's outputs.
 */
import { createService } from "treadle";
import { z } from "zod";

const counting = createService({
  input: z.object({ text: z.string() }),
  output: z.object({ words: z.int() }),
});

/** Could be a file of its own: a Subflow takes any workflow value. */
const countWords = counting.service((ctx) => (
  <counting.Workflow name="count-words">
    <counting.Task id="count" output={counting.outputs.output}>
      {{ words: ctx.input.text.split(/\s+/).filter(Boolean).length }}
    </counting.Task>
  </counting.Workflow>
));

const { Workflow, Sequence, Parallel, Subflow, Task, service, outputs } = createService({
  input: z.object({ texts: z.array(z.string()).optional() }),
  counted: z.object({ words: z.int() }),
  output: z.object({ texts: z.int(), words: z.int() }),
});

export default service((ctx) => {
  const texts = ctx.input.texts ?? ["a workflow of workflows", "each with a run of its own"];
  return (
    <Workflow name="subflow">
      <Sequence>
        <Parallel>
          {texts.map((text, index) => (
            <Subflow
              key={text}
              id={`text-${index + 1}`}
              workflow={countWords}
              input={{ text }}
              output={outputs.counted}
            />
          ))}
        </Parallel>
        <Task id="sum" output={outputs.output}>
          {() => ({
            texts: texts.length,
            words: ctx.outputs.counted.reduce((sum, { words }) => sum + words, 0),
          })}
        </Task>
      </Sequence>
    </Workflow>
  );
});
