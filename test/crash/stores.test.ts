import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CRASH_POINTS, type CrashPoint } from "../../src/engine/crash-points.js";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import type { Death } from "../support/crash/driver-process.js";
import { pgliteIn } from "../support/crash/place.js";
import { driveToTheEnd, expectSameOutcome, type RunHistory } from "../support/crash/run-history.js";
import { JOURNEY, WORKFLOW_NAMES, type WorkflowName } from "../support/crash/workflows.js";
import { initializePglite } from "../support/pglite/initialized-folder.js";
import { createPostgresDatabase } from "../support/postgres/database.js";

/**
 * Every run of `npm test` kills a few processes on each store; `npm run crash -- [--store sqlite|postgres|pglite]` kills
 * one at each commit of a run that has everything, and at every named point of all the others.
 */
const FULL = process.env.TREADLE_CRASH;
const isFull = FULL !== undefined;

const STORES = {
  sqlite: async ({ folder }: Workshop) => ({
    database: join(folder, "all.db"),
    remove: async (): Promise<unknown> => undefined,
  }),
  postgres: async () => {
    const { url, remove } = await createPostgresDatabase();
    return { database: url, remove };
  },
  pglite: async ({ folder }: Workshop) => ({
    database: pgliteIn(await initializePglite(join(folder, "data"))),
    remove: async (): Promise<unknown> => undefined,
  }),
};
type StoreName = keyof typeof STORES;

/** What the suite kills; a process of PGlite takes seconds to begin. SQLite has suites of its own beside this one. */
const FEW: Record<StoreName, Partial<Record<WorkflowName, Death[]>>> = {
  sqlite: { journey: [at("before-commit", 4), at("after-commit", 4), at("before-claim", 1)] },
  postgres: {
    nested: [at("before-commit", 3), at("after-start", 2), ...after(30, 60, 120)],
    continuation: [at("after-commit", 2), at("after-claim", 1), at("before-commit", 3)],
    journey: [at("before-commit", 2), at("after-commit", 4), at("before-end", 1), ...after(120)],
  },
  pglite: { journey: [at("before-commit", 4), at("after-commit", 7)] },
};

function at(point: CrashPoint, n: number): Death {
  return { kind: "point", point, n };
}

/** In the middle of statements, with some luck. */
function after(...times: number[]): Death[] {
  return times.map((ms) => ({ kind: "time", ms }));
}

/** Deaths of consecutive processes at one point: each gets a little further than the one before. */
function* creeping(point: CrashPoint): Generator<Death> {
  for (let n = 1; ; n += 1) yield at(point, n);
}

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop("driver.ts");
});
afterAll(() => workshop.remove());

const names = Object.keys(STORES) as StoreName[];
describe.each(isFull && FULL !== "all" ? [FULL as StoreName] : names)(
  "a run on %s whose processes are killed ends as one that nothing has happened to",
  (store) => {
    const undisturbed = new Map<WorkflowName, RunHistory>();
    const counts = { runs: 0, kills: 0 };
    let place: { database: string; remove(): Promise<unknown> };

    beforeAll(async () => {
      place = await STORES[store](workshop);
    });
    afterAll(async () => {
      await place.remove();
      if (isFull) console.log(`${store}: ${counts.runs} runs, ${counts.kills} processes killed`);
    });

    async function expectUnharmed(workflow: WorkflowName, name: string, deaths: Iterator<Death>) {
      const { database } = place;
      const calm = [][Symbol.iterator]();
      const usual =
        undisturbed.get(workflow) ??
        (await driveToTheEnd(workshop, { workflow, runId: `${store}-${workflow}`, database }, calm));
      undisturbed.set(workflow, usual);
      const runId = `${store}-${workflow}-${name}`;
      const history = await driveToTheEnd(workshop, { workflow, runId, database }, deaths);
      expectSameOutcome(history, usual);
      counts.runs += 1;
      counts.kills += history.kills;
      return history.kills;
    }

    if (!isFull) {
      const few = Object.entries(FEW[store]) as [WorkflowName, Death[]][];
      it.each(few)("%s", async (workflow, deaths) => {
        expect(await expectUnharmed(workflow, "killed", deaths.values())).toBeGreaterThanOrEqual(2);
      });
      return;
    }

    it.each(["before-commit", "after-commit"] as const)("once, %s of each commit", async (point) => {
      for (let n = 1; ; n += 1) {
        const kills = await expectUnharmed(JOURNEY, `${point}-${n}`, [at(point, n)].values());
        if (kills === 0) break;
      }
    });

    const cases = WORKFLOW_NAMES.flatMap((workflow) => CRASH_POINTS.map((point) => ({ workflow, point })));
    it.each(cases)("$workflow, again and again at $point", async ({ workflow, point }) => {
      await expectUnharmed(workflow, point, creeping(point));
    });
  },
);
