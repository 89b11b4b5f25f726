/**
 * 7. A person decides: a run that waits, is killed, is decided while nothing runs, and finishes.
 *
 *     npx treadle up examples/07-approval.tsx --run-id release --wait &
 *     kill -9 %1                                   # it waits for nobody now
 *     npx treadle inbox                            # but the question is still there
 *     npx treadle approve release ship --by ada --note "tests are green" --yes
 *     npx treadle up --resume release              # takes the decision up and finishes
 *     npx treadle events release                   # each task was started once
 *
 * Without `--wait`, `up` ends with exit code 3 as soon as there is nothing left to do but to wait.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Approval, Task, service, outputs } = createService({
  input: z.object({ version: z.string().optional() }),
  candidate: z.object({ version: z.string(), checks: z.int() }),
  // The row of an approval has this shape.
  decision: z.object({
    approved: z.boolean(),
    note: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: z.string().nullable(),
  }),
  output: z.object({ released: z.boolean(), version: z.string(), by: z.string() }),
});

export default service((ctx) => {
  const version = ctx.input.version ?? "1.4.0";
  return (
    <Workflow name="approval">
      <Sequence>
        <Task id="prepare" output={outputs.candidate}>
          {{ version, checks: 128 }}
        </Task>
        {/* Denied with onDeny="continue", the run goes on with approved: false. */}
        <Approval
          id="ship"
          output={outputs.decision}
          onDeny="continue"
          request={{ title: `Release ${version}?`, summary: "All 128 checks have passed." }}
        />
        <Task
          id="release"
          output={outputs.output}
          deps={{ prepare: outputs.candidate, ship: outputs.decision }}
        >
          {async ({ prepare, ship }, { rootDir, idempotencyKey }) => {
            const by = ship.decidedBy ?? "unknown";
            if (!ship.approved) return { released: false, version: prepare.version, by };
            // A task may be interrupted after its effect and before its row is stored, and then runs again
            // with the same key: whoever receives the effect can tell that it was there before.
            await appendFile(join(rootDir, "releases.log"), `${prepare.version} ${by} ${idempotencyKey}\n`);
            return { released: true, version: prepare.version, by };
          }}
        </Task>
      </Sequence>
    </Workflow>
  );
});
