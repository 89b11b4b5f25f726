import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { checkHistory } from "../support/crash/check-history.js";
import { Contender } from "../support/crash/contender-process.js";
import { type Evidence, gatherEvidence } from "../support/crash/evidence.js";

const ROUNDS = 50;
/** Both contenders have heard of the round by then. */
const NOTICE_MS = 6;

let workshop: Workshop;
const processes: Contender[] = [];

beforeAll(async () => {
  workshop = await openWorkshop("contender.tsx");
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  workshop.remove();
});

it("two processes that resume one orphaned run at once: one drives it, the other is refused", async () => {
  const files = { database: join(workshop.folder, "contended.db"), trail: join(workshop.folder, "trail") };
  const enter = async () => {
    const contender = new Contender(workshop.program, files);
    processes.push(contender);
    expect(await contender.news()).toEqual({ type: "up" });
    return contender;
  };
  const runIds = Array.from({ length: ROUNDS }, (_, round) => `round-${round}`);
  const first = await enter();
  first.tell({ type: "start", runIds });
  for (const _ of runIds) expect((await first.news()).type).toBe("working");
  await first.kill();

  const contenders = await Promise.all([enter(), enter()]);
  const refusals: string[] = [];
  for (const runId of runIds) {
    const atMs = Date.now() + NOTICE_MS;
    for (const contender of contenders) contender.tell({ type: "resume", runId, atMs });
    // The winner stays in its task until the other has been refused, so it cannot have ended by then.
    const news = await Promise.all(contenders.map((contender) => contender.news()));
    expect(news.map(({ type }) => type).sort()).toEqual(["refused", "working"]);
    const winner = news.findIndex(({ type }) => type === "working");
    const refused = news[1 - winner];
    if (refused?.type === "refused") refusals.push(refused.code);

    contenders[winner]?.tell({ type: "release" });
    expect(await contenders[winner]?.news()).toEqual({ type: "ended", runId, status: "finished" });
    const evidence = (await gatherEvidence(files.database, runId, files.trail))[0] as Evidence;
    checkHistory(evidence);
    // One execution per attempt: the killed one, the winner's, and the task after it.
    expect(evidence.trail).toHaveLength(evidence.attempts.length);
    expect(evidence.attempts).toHaveLength(3);
  }
  expect(refusals).toHaveLength(ROUNDS);
  expect(refusals.filter((code) => !/^RUN_(OWNER_ALIVE|RESUME_CLAIM_FAILED)$/.test(code))).toEqual([]);
});
