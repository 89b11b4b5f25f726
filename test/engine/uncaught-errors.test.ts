import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";
import { quietExisting } from "../support/quiet-store.js";

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop("../engine/poisoned-program.tsx");
});

afterAll(() => workshop.remove());

/** Runs the program until it ends by itself; it is given a minute. */
function runProgram(kind: string, ...flags: string[]) {
  const database = join(workshop.folder, `${kind}${flags.join("")}.db`);
  const child = spawn(process.execPath, [workshop.program, database, kind, ...flags], { timeout: 200_000 });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text: Buffer) => {
    stdout += text.toString();
  });
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string; database: string }>(
    (resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, stdout, stderr, database }));
    },
  );
}

describe("an uncaught error", () => {
  it.each([
    ["rejects beside its work", "nobody awaits this"],
    ["throws in a timer", "thrown by a timer"],
    ["rejects deep below an agent's stream", "an event without a listener"],
  ])("of a task that %s fails its attempt, and the process continues", async (kind, message) => {
    const { code, stdout } = await runProgram(kind);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      ["poisoned", "failed", "TypeError", message],
      ["healthy", "finished", null, null],
    ]);
  });

  it("of a task that has ended already is reported, and harms no run", async () => {
    const { code, stdout, stderr } = await runProgram("rejects after its end");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      ["poisoned", "finished", null, null],
      ["healthy", "finished", null, null],
    ]);
    expect(stderr).toContain("Attempt 1 of poison in run poisoned had ended when its code threw: too late");
  });

  it("of the program itself ends it, as without the library", async () => {
    const { code, stderr } = await runProgram("throws by itself");
    expect(code).toBe(1);
    expect(stderr).toContain("TypeError: the program's own");
  });

  it("of no attempt is reported by a process that has promised to survive", async () => {
    const { code, stdout, stderr } = await runProgram("throws by itself", "--serve");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      ["poisoned", "finished", null, null],
      ["healthy", "finished", null, null],
    ]);
    expect(stderr).toContain("survived the program's own");
  });
});

describe("process.exit in a task", () => {
  it.each(["calls process.exit", "calls process.reallyExit"])(
    "leaves an attempt that says so, and a run that any process may take up at once: %s",
    async (kind) => {
      const { code, database } = await runProgram(kind);
      expect(code).toBe(0);
      const store = quietExisting(database, { readOnly: true });
      const types = ["NodeInterrupted", "RunInterrupted"] as const;
      const events = store.listEvents("poisoned", { types: [...types], limit: 10 });
      expect(events.map(({ event }) => event)).toMatchObject([
        {
          type: "NodeInterrupted",
          nodeId: "poison",
          attempt: 1,
          reason: expect.stringContaining("process.exit(0)"),
        },
        { type: "RunInterrupted", reason: expect.stringContaining("poison") },
      ]);
      expect(store.listAttempts("poisoned")).toMatchObject([{ state: "interrupted" }]);
      expect(store.getRun("poisoned")).toMatchObject({ status: "running", ownerId: null });
      store.close();
    },
  );

  it("fails the task where the process also serves others", async () => {
    const { code, stdout } = await runProgram("calls process.exit", "--serve");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      ["poisoned", "failed", "ServiceError", expect.stringContaining("Task poison called process.exit(0)")],
      ["healthy", "finished", null, null],
    ]);
  });
});
