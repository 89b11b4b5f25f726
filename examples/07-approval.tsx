// A run that waits for a person, dies, is decided while nothing runs, and finishes.
//
//   npx treadle up examples/07-approval.tsx --run-id release     # ends with exit code 3: it waits
//   npx treadle inbox                                            # what waits for whom
//   npx treadle approve release ship --by ada --yes              # nobody drives the run now
//   npx treadle up --resume release                              # takes the decision up
//
// Kill the first command while `build` runs (it takes a few seconds with
// `--set seconds=20`): resume runs `build` again, and nothing that was finished.
import { setTimeout as sleep } from "node:timers/promises";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Task, Approval, service, outputs } = createService({
  input: z.object({ seconds: z.number().optional() }),
  tested: z.object({ passed: z.number().int() }),
  built: z.object({ version: z.string() }),
  decision: z.object({
    approved: z.boolean(),
    note: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: z.string().nullable(),
  }),
  output: z.object({ released: z.string(), approvedBy: z.string() }),
});

export default service((ctx) => (
  <Workflow name="approval">
    <Sequence>
      <Task id="test" output={outputs.tested}>
        {{ passed: 128 }}
      </Task>
      <Task id="build" output={outputs.built}>
        {async (_, { signal }) => {
          await sleep((ctx.input.seconds ?? 0) * 1_000, undefined, { signal });
          return { version: "1.4.0" };
        }}
      </Task>
      <Approval
        id="ship"
        output={outputs.decision}
        request={{ title: "Ship version 1.4.0?", summary: "All tests pass." }}
      />
      <Task id="release" output={outputs.output} deps={{ built: outputs.built, ship: outputs.decision }}>
        {({ built, ship }) => ({ released: built.version, approvedBy: ship.decidedBy ?? "somebody" })}
      </Task>
    </Sequence>
  </Workflow>
));
