/**
 * 20. Going back in time: a run that was finished begins again at an earlier moment, as a run of its own, with another input
 * or with the files of that moment.
 *
 *     npx treadle up examples/20-time-travel.tsx --run-id first
 *     npx treadle timeline first                      # its frames, and what each was rendered for
 *     npx treadle diff first --node announce          # what a task has changed in the folder, where it is a git repository
 *     npx treadle fork first --node decide --dry-run  # what it would keep, and do again
 *     npx treadle fork first --node decide --set margin=0.4 --run-id second
 *     npx treadle up examples/20-time-travel.tsx --resume second
 *     npx treadle replay first --node announce --restore-vcs --accept-effects
 *
 * The measurement is made once: the fork keeps its row. `decide` and `announce` run again, on the new input. `replay` with
 * `--restore-vcs` runs in a new working copy beside the repository, with the files as they were before `announce` wrote its own.
 */
import { createService, write } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ margin: z.number().min(0).optional() }),
  cost: z.object({ cents: z.int() }),
  price: z.object({ cents: z.int() }),
  output: z.object({ text: z.string() }),
});

export default service((ctx) => (
  <Workflow name="time-travel">
    <Sequence>
      <Task id="measure" output={outputs.cost}>
        {async () => {
          // Stands for what takes long, and gives the same answer every time.
          await new Promise((resolve) => setTimeout(resolve, 200));
          return { cents: 1_250 };
        }}
      </Task>
      <Task id="decide" output={outputs.price} deps={{ measure: outputs.cost }}>
        {({ measure }) => ({ cents: Math.round(measure.cents * (1 + (ctx.input.margin ?? 0.2))) })}
      </Task>
      <Task id="announce" output={outputs.output} deps={{ decide: outputs.price }}>
        {async ({ decide }) => {
          const text = `It costs ${(decide.cents / 100).toFixed(2)}.`;
          // What tools of treadle write is recorded, where the folder is a repository.
          await write.execute({ path: "price.md", content: `${text}\n` });
          return { text };
        }}
      </Task>
    </Sequence>
  </Workflow>
));
