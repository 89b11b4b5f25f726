import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { quietDb } from "../support/quiet-store.js";

/** The runs' limit. */
const MAX_INTERRUPTIONS = 2;
/** With others at work when it dies, a run may lose so many processes before it is driven alone. */
const BESIDE_OTHERS = 2;

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop("neighbours.tsx");
});
afterAll(() => workshop.remove());

let scenes = 0;

/** Starts all runs in one process, and another process whenever one has died, until all runs have ended. */
async function driveToTheEnd(role: "supervise" | "gateway", runIds: readonly string[], startAs = "start") {
  scenes += 1;
  const database = join(workshop.folder, `${scenes}.db`);
  const trail = join(workshop.folder, `${scenes}.trail`);
  const live = async (as: string) => {
    const argv = [workshop.program, as, database, trail, runIds.join(",")];
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code, signal]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    if (signal !== "SIGKILL") expect({ code, stderr }).toMatchObject({ code: 0 });
    return signal === "SIGKILL";
  };
  let deaths = (await live(startAs)) ? 1 : 0;
  while (await live(role)) deaths += 1;
  const { store } = quietDb({ path: database, schemas: {} });
  const ends = Object.fromEntries(
    runIds.map((runId) => {
      const run = store.getRun(runId);
      return [runId, run?.error === null ? run.status : run?.error?.code];
    }),
  );
  store.close();
  const lines = existsSync(trail) ? readFileSync(trail, "utf8").trim().split("\n") : [];
  return { ends, deaths, trail: lines };
}

const killed = "TASK_INTERRUPTED_TOO_OFTEN";

// Their processes wait most of the time: a run that has lost some is driven alone for seconds.
describe.concurrent("where runs are looked after by supervise or a gateway,", () => {
  it.each(["supervise", "gateway"] as const)(
    "a run that kills its process fails, and those that sat beside it finish: %s",
    async (role) => {
      const { ends, deaths } = await driveToTheEnd(role, ["killer-1", "healthy-1", "healthy-2"]);
      expect(ends).toEqual({ "killer-1": killed, "healthy-1": "finished", "healthy-2": "finished" });
      expect(deaths).toBeLessThanOrEqual(BESIDE_OTHERS + MAX_INTERRUPTIONS);
    },
  );

  it("two runs that kill their process both fail, and three beside them finish", async () => {
    const healthy = ["healthy-1", "healthy-2", "healthy-3"];
    const { ends, deaths } = await driveToTheEnd("supervise", ["killer-1", ...healthy, "killer-2"]);
    expect(ends).toEqual({
      ...Object.fromEntries(healthy.map((runId) => [runId, "finished"])),
      "killer-1": killed,
      "killer-2": killed,
    });
    expect(deaths).toBeLessThanOrEqual(2 * (BESIDE_OTHERS + MAX_INTERRUPTIONS));
  });

  it("a run that kills its process and has no neighbours fails at its limit", async () => {
    const { ends, deaths } = await driveToTheEnd("supervise", ["killer-1"]);
    expect({ ends, deaths }).toEqual({ ends: { "killer-1": killed }, deaths: MAX_INTERRUPTIONS });
  });

  it("a child run that kills its process before any of its tasks begins fails its parent", async () => {
    const { ends, trail } = await driveToTheEnd("supervise", ["parent-1", "healthy-1"]);
    expect(ends).toEqual({ "parent-1": killed, "healthy-1": "finished" });
    expect(trail.filter((line) => line.endsWith("render")).length).toBeLessThanOrEqual(
      BESIDE_OTHERS + MAX_INTERRUPTIONS,
    );
  });

  it.each(["supervise", "gateway"] as const)(
    "a run that kills its process in its first render, before anything is written, fails at its limit: %s",
    async (role) => {
      const { ends, deaths, trail } = await driveToTheEnd(role, ["drawer-1"]);
      expect({ ends, deaths }).toEqual({ ends: { "drawer-1": killed }, deaths: MAX_INTERRUPTIONS });
      expect(trail).toHaveLength(MAX_INTERRUPTIONS);
    },
  );

  it("so does one beside another that kills its process, and both are found", async () => {
    const { ends, deaths } = await driveToTheEnd("supervise", ["drawer-1", "killer-1", "healthy-1"]);
    expect(ends).toEqual({ "drawer-1": killed, "killer-1": killed, "healthy-1": "finished" });
    expect(deaths).toBeLessThanOrEqual(2 * (BESIDE_OTHERS + MAX_INTERRUPTIONS));
  });
});
