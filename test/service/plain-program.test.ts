import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, type Workshop } from "../support/crash/bundle.js";

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop("../engine/plain-program.tsx");
});

afterAll(() => workshop.remove());

/** Runs the program until it ends by itself; it is given some minutes. */
function runProgram(kind: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [workshop.program, join(workshop.folder, `${kind}.db`), kind], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 200_000,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text: Buffer) => {
    stdout += text.toString();
  });
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

describe("a program that awaits runWorkflow", () => {
  it.each([
    ["finishes", "finished"],
    ["fails", "failed"],
    ["waits", "waiting-timer"],
  ])("whose run %s ends by itself, and the library writes nothing to stdout", async (kind, status) => {
    expect(await runProgram(kind)).toEqual({ code: 0, stdout: "", stderr: status });
  });
});
