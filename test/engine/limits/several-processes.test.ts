import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createService, explainRun, ServiceDb } from "../../../src/index.js";
import { openWorkshop, type Workshop } from "../../support/crash/bundle.js";

let workshop: Workshop;
const started: ChildProcess[] = [];

beforeAll(async () => {
  workshop = await openWorkshop("../engine/limited-program.tsx");
});

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  workshop.remove();
});

/** @param concurrency what the process declares */
function begin(database: string, runId: string, about: { concurrency: number; tasks: number; kind: string }) {
  const args = [runId, about.tasks, about.kind, about.concurrency].map(String);
  const child = spawn(process.execPath, [workshop.program, database, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.push(child);
  return { child, lines: child.stdout as NodeJS.ReadableStream };
}

/** The database of other processes. */
function reader(database: string): ServiceDb {
  return new ServiceDb(createService({ row: z.object({ n: z.number() }) }, { dbPath: database }).db);
}

async function intervals(database: string, runIds: readonly string[]) {
  const db = reader(database);
  const rows = await Promise.all(runIds.map(async (runId) => await db.store.listAttempts(runId)));
  await db.store.close();
  return rows
    .flat()
    .map(({ startedAtMs, finishedAtMs }) => ({ from: startedAtMs, to: finishedAtMs as number }));
}

/** The most that were at work at one moment; what ends with a commit makes room for what starts after it. */
function mostAtOnce(spans: readonly { from: number; to: number }[]): number {
  return Math.max(
    ...spans.map(({ from }) => spans.filter((span) => span.from <= from && from < span.to).length),
  );
}

describe("a limit that two processes share", () => {
  it("is never exceeded, as the rows of their attempts tell", async () => {
    const database = join(workshop.folder, "shared.db");
    const children = ["a", "b"].map((runId) =>
      begin(database, runId, { concurrency: 2, tasks: 15, kind: "works" }),
    );
    const said = await Promise.all(children.map(({ lines }) => text(lines)));
    expect(said.map((lines) => lines.trim().split("\n").at(-1))).toEqual(["finished", "finished"]);
    const spans = await intervals(database, ["a", "b"]);
    expect(spans).toHaveLength(30);
    expect(mostAtOnce(spans)).toBeLessThanOrEqual(2);
  });

  it("is free again once the process that held it is killed, and why says meanwhile who holds it", async () => {
    const database = join(workshop.folder, "killed.db");
    const holder = begin(database, "holder", { concurrency: 1, tasks: 1, kind: "holds" });
    const [first] = (await once(createInterface(holder.lines), "line")) as [string];
    expect(first).toBe("holder t-0");
    const waiting = begin(database, "waiting", { concurrency: 1, tasks: 1, kind: "works" });
    const answer = text(waiting.lines);
    const db = reader(database);
    await expect
      .poll(async () => (await explainRun(db, "waiting").catch(() => undefined))?.blockers)
      .toMatchObject([
        {
          kind: "limit",
          nodeId: "t-0",
          limits: [{ name: "model-x", concurrency: 1, holders: [{ runId: "holder", nodeId: "t-0" }] }],
        },
      ]);
    expect(await db.store.listAttempts("waiting")).toEqual([]);
    holder.child.kill("SIGKILL");
    expect(await answer).toBe("waiting t-0\nfinished\n");
    await db.store.close();
  });
});
