import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { checkHistory } from "../support/crash/check-history.js";
import { type Death, liveAndDie } from "../support/crash/driver-process.js";
import { gatherEvidence } from "../support/crash/evidence.js";
import { randomFrom, seedFromEnvironment } from "../support/crash/random.js";
import { driveToTheEnd, expectSameOutcome, type RunHistory } from "../support/crash/run-history.js";

/**
 * Run by hand, not by `npm test`: kills and stops real processes that drive a nested
 * workflow, checks every run's whole history, and prints figures.
 *
 *   KILLS=1000 STOPS=200 npx vitest run --config test/soak/vitest.config.ts
 *
 * CRASH_SEED repeats the random times; AT_ONCE (default 4) and STOPPED_AT_ONCE (default 20) say
 * how many runs live at the same time. A process is stopped for 15 s, longer than its lease.
 */
const { KILLS = "1000", STOPS = "200", AT_ONCE = "4", STOPPED_AT_ONCE = "20" } = process.env;
const STOPPED_MS = 15_000;
/** Kills of one run before its processes are left alone: fewer in a row than a task is given. */
const KILLS_PER_RUN = 8;

const seed = seedFromEnvironment();
const random = randomFrom(seed);
let workshop: Workshop;
let usual: RunHistory;

beforeAll(async () => {
  workshop = await openWorkshop("driver.ts");
  const noDeaths: Iterator<Death> = [].values();
  usual = await driveToTheEnd(workshop, { workflow: "nested", runId: "undisturbed" }, noDeaths);
}, 120_000);

afterAll(() => workshop.remove());

/** Runs `work` with numbers from 0 on, so many at once, until it says that it is enough. */
async function manyAtOnce(atOnce: number, work: (n: number) => Promise<boolean>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (await work(next++));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

it(`survives ${KILLS} kills (CRASH_SEED=${seed})`, async () => {
  const since = Date.now();
  let kills = 0;
  let runs = 0;
  await manyAtOnce(Number(AT_ONCE), async (n) => {
    if (kills >= Number(KILLS)) return false;
    const times = Array.from({ length: KILLS_PER_RUN }, () => random() * usual.droveMs);
    const deaths = times.map((ms): Death => ({ kind: "time", ms })).values();
    const history = await driveToTheEnd(workshop, { workflow: "nested", runId: `killed-${n}` }, deaths);
    expectSameOutcome(history, usual);
    kills += history.kills;
    runs += 1;
    return true;
  });
  process.stdout.write(`${kills} kills in ${runs} runs, ${(Date.now() - since) / 1_000} s, 0 violations\n`);
});

it(`survives ${STOPS} stops of 15 s (CRASH_SEED=${seed})`, async () => {
  const since = Date.now();
  let stops = 0;
  let fenced = 0;
  await manyAtOnce(Number(STOPPED_AT_ONCE), async (n) => {
    if (stops >= Number(STOPS)) return false;
    const runId = `stopped-${n}`;
    const database = join(workshop.folder, `${runId}.db`);
    const trail = join(workshop.folder, `${runId}.trail`);
    const order = { workflow: "nested" as const, runId, database, trail };
    const first = spawn(process.execPath, [workshop.program, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((resolve) => first.once("close", (code) => resolve(code)));
    await new Promise((resolve) => first.stdout.once("data", resolve));
    await pause(random() * usual.droveMs);
    if (first.exitCode !== null || !first.kill("SIGSTOP")) return true;
    // By a clock of its own: stopped in the middle of a transaction, it keeps everybody else out until it continues.
    const continues = pause(STOPPED_MS).then(() => first.kill("SIGCONT"));
    stops += 1;
    for (;;) {
      try {
        // It is refused while the stopped owner's heartbeat is fresh.
        await liveAndDie(workshop.program, order, { kind: "none" });
        break;
      } catch (error) {
        if (!/RUN_OWNER_ALIVE|RUN_STILL_RUNNING|RUN_RESUME_CLAIM/.test(String(error))) throw error;
        await pause(500);
      }
    }
    await continues;
    if ((await ended) !== 0) fenced += 1;
    const evidence = await gatherEvidence(database, runId, trail);
    for (const each of evidence) checkHistory(each);
    expect(evidence.map(({ outputs }) => outputs)).toEqual(usual.evidence.map(({ outputs }) => outputs));
    return true;
  });
  process.stdout.write(
    `${stops} stops, ${fenced} owners fenced, ${(Date.now() - since) / 1_000} s, 0 violations\n`,
  );
});
