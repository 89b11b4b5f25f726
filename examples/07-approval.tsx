/**
 * 7. A person decides: a run that is killed while it works, continues, waits without a process, and finishes.
 *
 *     npx treadle up examples/07-approval.tsx --run-id release --set seconds=20
 *     # kill -9 its process while `build` works
 *     npx treadle up --resume release              # builds again, and waits; `test` is not run again
 *     npx treadle inbox                            # the question is there although no process is
 *     npx treadle approve release ship --by ada --note "tests are green" --yes
 *     npx treadle up --resume release              # takes the decision up and finishes
 *     npx treadle events release                   # each task finished once
 *
 * `up` ends with exit code 3 as soon as there is nothing left to do but to wait; `--wait` keeps it alive.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Approval, Task, service, outputs } = createService({
  // `seconds` is how long the build takes: time to kill it.
  input: z.object({ version: z.string().optional(), seconds: z.number().optional() }),
  checked: z.object({ checks: z.int() }),
  candidate: z.object({ version: z.string() }),
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
        <Task id="test" output={outputs.checked}>
          {{ checks: 128 }}
        </Task>
        <Task id="build" output={outputs.candidate}>
          {async (_rows, { signal }) => {
            await sleep((ctx.input.seconds ?? 0) * 1000, undefined, { signal });
            return { version };
          }}
        </Task>
        {/* Denied with onDeny="continue", the run continues with approved: false. */}
        <Approval
          id="ship"
          output={outputs.decision}
          onDeny="continue"
          request={{ title: `Release ${version}?`, summary: "All 128 checks have passed." }}
        />
        <Task
          id="release"
          output={outputs.output}
          deps={{ build: outputs.candidate, ship: outputs.decision }}
        >
          {async ({ build, ship }, { rootDir, idempotencyKey }) => {
            const by = ship.decidedBy ?? "unknown";
            if (!ship.approved) return { released: false, version: build.version, by };
            // A task may be interrupted after its effect and before its row is stored, and then runs again
            // with the same key: the receiver of the effect can tell that it was there before.
            await appendFile(join(rootDir, "releases.log"), `${build.version} ${by} ${idempotencyKey}\n`);
            return { released: true, version: build.version, by };
          }}
        </Task>
      </Sequence>
    </Workflow>
  );
});
