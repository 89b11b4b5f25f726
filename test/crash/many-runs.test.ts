import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { quietDb } from "../support/quiet-store.js";

const RUNS = 12;
const STEPS = ["one", "two", "three"];
const runIds = Array.from({ length: RUNS }, (_, index) => `run-${index}`);

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop("many-runs.tsx");
});
afterAll(() => workshop.remove());

/** One database and the processes that drive all runs in it. */
function enter(name: string) {
  const database = join(workshop.folder, `${name}.db`);
  const trail = join(workshop.folder, `${name}.trail`);
  return {
    /** How often each step of each run has been executed. */
    executed() {
      const lines = existsSync(trail) ? readFileSync(trail, "utf8").split("\n") : [];
      return (step: string) => lines.filter((line) => line === step).length;
    },
    async drive(group: number) {
      const argv = [workshop.program, database, trail, String(RUNS), String(group)];
      const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
      const [printed, [, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
      return { printed, signal: signal as string | null };
    },
    /** What is stored of each run. */
    read() {
      const { store } = quietDb({ path: database, schemas: {} });
      const stored = runIds.map((runId) => ({
        runId,
        run: store.getRun(runId),
        events: store.getRun(runId) === undefined ? [] : store.listEvents(runId, { limit: 1_000 }),
        rows: STEPS.map((id) => store.readOutput(runId, id, 0)),
      }));
      store.close();
      return stored;
    },
  };
}

describe.each([1, 2, 3, 4])(
  "a process that is killed in the middle of its %i. write of many runs",
  (group) => {
    it("has written all of it or nothing, and its runs end with each step finished once", async () => {
      const scene = enter(`group-${group}`);
      expect((await scene.drive(group)).signal).toBe("SIGKILL");
      const before = scene.read();
      // One transaction: those whose statements had been executed are no further than the others.
      const shared = before.slice(1).map(({ events }) => events.length);
      expect(new Set(shared).size).toBe(1);
      const executedBefore = scene.executed();
      const { printed, signal } = await scene.drive(0);
      expect(signal).toBeNull();
      expect(JSON.parse(printed)).toEqual(runIds.map(() => "finished"));
      const executed = scene.executed();
      for (const [index, { runId, run, events, rows }] of scene.read().entries()) {
        expect(run).toMatchObject({ status: "finished", ownerId: null, nextSeq: events.length });
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq));
        const finished = events.flatMap(({ event }) => (event.type === "NodeFinished" ? [event.nodeId] : []));
        expect(finished).toEqual(STEPS);
        expect(rows).toMatchObject(STEPS.map((id) => ({ text: `${runId} ${id}` })));
        for (const [at, id] of STEPS.entries()) {
          const step = `${runId} ${id}`;
          const wasKept = before[index]?.rows[at] !== undefined;
          if (wasKept) expect(executed(step)).toBe(executedBefore(step));
          else expect(executed(step)).toBeGreaterThan(executedBefore(step));
        }
      }
    });
  },
);
