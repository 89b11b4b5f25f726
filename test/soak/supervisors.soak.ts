import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { checkHistory } from "../support/crash/check-history.js";
import { attemptKey, type Evidence, gatherEvidence } from "../support/crash/evidence.js";
import { checkSupervised, leavesTrail, type Outcome } from "../support/crash/check-supervised.js";
import { outcomeOf } from "../support/crash/run-history.js";
import { mountSmallDisk, type SmallDisk } from "../support/crash/small-disk.js";
import {
  BLOCKING,
  CRASHING,
  HEALTHY,
  type HealthyName,
  POISONED,
  type SupervisedName,
} from "../support/crash/supervised-workflows.js";
import type { SupervisorNews, SupervisorOrder } from "../support/crash/supervisor.js";
import { LastingProcess } from "../support/crash/supervisor-process.js";
import { quietExisting } from "../support/quiet-store.js";

/**
 * Run by hand, not by `npm test`: two supervisors share a database on a small disk. Healthy runs
 * are started all the time, between them runs that poison, block and crash the process they
 * are in; one of the two is killed every 10 s, and in the middle the disk is full for 5 s. Checks
 * every run's whole history, and prints figures.
 *
 *   MINUTES=10 npx vitest run --config test/soak/vitest.config.ts supervisors
 *
 * EVERY_MS (default 1000) is the time between two healthy runs, at least 500. Mounting the small disk
 * takes root; without it the database is on an ordinary one, which is never full.
 */
const MINUTES = Number(process.env["MINUTES"] ?? "10");
const EVERY_MS = Math.max(500, Number(process.env["EVERY_MS"] ?? "1000"));
const KILL_EVERY_MS = 10_000;
const FULL_MS = 5_000;
/** How long the supervisors are left alone at the end. */
const CALM_MS = 120_000;
/** A process may fall when it is started on a full disk, and this long after. */
const RECOVERY_MS = 5_000;

let workshop: Workshop;
let disk: SmallDisk | undefined;
let usual: Map<SupervisedName, Outcome[]>;

beforeAll(async () => {
  workshop = await openWorkshop("supervisor.ts");
  disk = mountSmallDisk(workshop.folder, 32);
  usual = await undisturbed();
}, 120_000);

afterAll(() => {
  disk?.unmount();
  workshop.remove();
});

/** The result of each undisturbed run. */
async function undisturbed(): Promise<typeof usual> {
  const files = { database: join(workshop.folder, "calm.db"), trail: join(workshop.folder, "calm.trail") };
  const ended = new Set<string>();
  const calm = new LastingProcess(workshop.program, { role: "start", ...files }, (news) => {
    if (news.type === "error") throw new Error(`${news.runId} ${news.code}: ${news.message}`);
    if (news.type === "started") ended.add(news.runId);
    if (news.type === "up") {
      for (const workflow of HEALTHY) calm.tell({ runId: workflow, workflow, toTheEnd: true });
    }
  });
  while (ended.size < HEALTHY.length) await pause(100);
  await calm.stop(5_000);
  const outcomes = HEALTHY.map(async (name) => {
    const evidence = await gatherEvidence(files.database, name, files.trail);
    for (const each of evidence) checkHistory(each);
    expect(evidence[0]?.run.status).toBe("finished");
    return [name, evidence.map(outcomeOf)] as const;
  });
  return new Map(await Promise.all(outcomes));
}

/** The run that is started beside the n-th healthy one. */
function oddOne(n: number): SupervisedName | undefined {
  if (n % 40 === 12) return BLOCKING;
  if (n % 40 === 32) return CRASHING;
  return n % 10 === 5 ? POISONED[Math.trunc(n / 10) % POISONED.length] : undefined;
}

it(`two supervisors bring every run to its end, ${MINUTES} minutes long`, async () => {
  const files = {
    database: join(disk?.folder ?? workshop.folder, "shared.db"),
    trail: join(workshop.folder, "shared.trail"),
  };
  const figures: Record<string, number> = {};
  const count = (what: string) => {
    figures[what] = (figures[what] ?? 0) + 1;
  };
  const runs = new Map<string, SupervisedName>();
  const unstarted = new Set<string>();
  const hear = (news: SupervisorNews) => {
    if (news.type === "started") unstarted.delete(news.runId);
    if (news.type === "error") count(`told: ${news.code}`);
    if (news.type === "picked-up") count(`picked up: ${news.reason}`);
  };
  const order = (role: SupervisorOrder["role"]) => ({ role, ...files });
  const starter = new LastingProcess(workshop.program, order("start"), hear);
  const supervisors = [0, 1].map(() => new LastingProcess(workshop.program, order("supervise"), hear));
  const start = (workflow: SupervisedName) => {
    const runId = `${workflow}-${runs.size}`;
    runs.set(runId, workflow);
    unstarted.add(runId);
    starter.tell({ runId, workflow });
  };

  const since = Date.now();
  const until = since + MINUTES * 60_000;
  let isFull = false;
  let fullFrom = Number.POSITIVE_INFINITY;
  const disturb = async () => {
    for (let kills = 0; Date.now() + KILL_EVERY_MS < until; kills += 1) {
      await pause(KILL_EVERY_MS);
      supervisors[kills % 2]?.kill();
    }
  };
  const fill = async () => {
    await pause((until - since) / 2);
    if (disk === undefined) return;
    isFull = true;
    fullFrom = Date.now();
    await disk.beFullFor(FULL_MS);
    isFull = false;
  };
  const startAll = async () => {
    for (let n = 0; Date.now() < until; n += 1) {
      start(HEALTHY[n % HEALTHY.length] as HealthyName);
      const odd = oddOne(n);
      if (odd !== undefined) start(odd);
      await pause(EVERY_MS);
      if (isFull) continue;
      // Those that could not be started: the disk was full, or the process was not there.
      if (n % 5 === 0)
        for (const runId of unstarted) starter.tell({ runId, workflow: runs.get(runId) as SupervisedName });
    }
  };
  await Promise.all([disturb(), fill(), startAll()]);

  const calmUntil = Date.now() + CALM_MS;
  const open = new Set(runs.keys());
  const store = quietExisting(files.database, { readOnly: true });
  try {
    while (open.size > 0 && Date.now() < calmUntil) {
      for (const runId of unstarted) starter.tell({ runId, workflow: runs.get(runId) as SupervisedName });
      await pause(2_000);
      for (const runId of open) {
        const status = store.getRun(runId)?.status;
        if (status === "finished" || status === "failed" || status === "cancelled") open.delete(runId);
      }
    }
  } finally {
    store.close();
  }
  const calmS = (Date.now() - (calmUntil - CALM_MS)) / 1_000;
  const areAlive = supervisors.map(({ isAlive }) => isAlive);
  await Promise.all([...supervisors, starter].map((each) => each.stop(20_000)));

  let longestS = 0;
  const violations: string[] = [...open].map((runId) => `${runId} has not ended`);
  for (const [runId, workflow] of runs) {
    if (open.has(runId)) continue;
    const evidence = await gatherEvidence(files.database, runId, files.trail);
    const [{ run }] = evidence as [Evidence];
    count(`${workflow} ${run.status}`);
    const tookS = ((run.finishedAtMs ?? Number.POSITIVE_INFINITY) - run.createdAtMs) / 1_000;
    longestS = Math.max(longestS, tookS);
    for (const { attempts, trail } of evidence) {
      figures["executions"] = (figures["executions"] ?? 0) + trail.length;
      const ran = new Set(trail.map(attemptKey));
      for (const attempt of attempts.filter(({ nodeId }) => leavesTrail(nodeId))) {
        count(`attempts ${attempt.state}`);
        if (!ran.has(attemptKey(attempt))) count("attempts whose process died before their function ran");
      }
    }
    try {
      checkSupervised(workflow, evidence, usual);
    } catch (error) {
      violations.push(`${runId}: ${String((error as Error).message).slice(0, 1_500)}`);
    }
  }
  const ends = supervisors.flatMap((each) => each.ends);
  for (const { how } of ends) count(`supervisors ${how}`);
  const fallen = [...ends, ...starter.ends].filter(
    ({ how, atMs }) => how === "ended" && !(atMs >= fullFrom && atMs < fullFrom + FULL_MS + RECOVERY_MS),
  );
  const wrongStops = [...ends, ...starter.ends].filter(
    ({ how, code }) => how === "stopped" && code !== 0 && code !== null,
  );
  process.stdout.write(
    `${JSON.stringify(
      {
        minutes: MINUTES,
        disk: disk === undefined ? "ordinary, never full" : "small, full for 5 s",
        calmS,
        runs: runs.size,
        longestS,
        databaseBytes: statSync(files.database).size,
        ...figures,
        violations: violations.length,
      },
      null,
      2,
    )}\n`,
  );
  expect(violations).toEqual([]);
  expect(fallen, "supervisors that ended by themselves").toEqual([]);
  expect(wrongStops, "supervisors that did not end well when asked to").toEqual([]);
  expect(areAlive).toEqual([true, true]);
});
