import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CrashPoint } from "../../src/engine/crash-points.js";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import type { Death } from "../support/crash/driver-process.js";
import { driveToTheEnd, expectSameOutcome } from "../support/crash/run-history.js";
import type { WorkflowName } from "../support/crash/workflows.js";
import { createPostgresDatabase, type PostgresDatabase } from "../support/postgres/database.js";

let workshop: Workshop;
let database: PostgresDatabase;

beforeAll(async () => {
  [workshop, database] = await Promise.all([openWorkshop("driver.ts"), createPostgresDatabase()]);
});

afterAll(async () => {
  workshop.remove();
  await database.remove();
});

/** Consecutive processes die a little further each time, around their commits and between them. */
function* deathsOf(run: number): Generator<Death> {
  const points: CrashPoint[] = ["before-commit", "after-commit", "after-start", "after-claim", "before-end"];
  for (const [at, point] of points.entries()) yield { kind: "point", point, n: 1 + ((run + at) % 3) };
  // In the middle of statements, with some luck.
  for (const ms of [30, 60, 120]) yield { kind: "time", ms };
}

describe("a run on Postgres whose processes are killed", () => {
  const workflows: WorkflowName[] = ["nested", "waits", "subflows", "continuation"];
  it.each(workflows)("ends as one that nothing has happened to: %s", async (workflow) => {
    const server = database.url;
    const undisturbed = await driveToTheEnd(
      workshop,
      { workflow, runId: `${workflow}-calm`, server },
      [].values(),
    );
    const run = { workflow, runId: `${workflow}-killed`, server };
    const disturbed = await driveToTheEnd(workshop, run, deathsOf(workflows.indexOf(workflow)));
    expectSameOutcome(disturbed, undisturbed);
    expect(disturbed.kills).toBeGreaterThanOrEqual(3);
  });
});
