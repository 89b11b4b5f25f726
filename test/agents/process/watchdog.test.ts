import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "../../../src/util/ids.js";

/*
 * The engine is killed without a chance to clean up; what it started must end nevertheless. The agents
 * here ignore polite signals, and one of their children hides in a session of its own.
 */
const ENGINE = `
import { runProcess } from ${JSON.stringify(fileURLToPath(new URL("../../../src/agents/process/run-process.ts", import.meta.url)))};
const agent = "trap '' TERM; setsid sleep 600 & sleep 600 & echo ready; while :; do sleep 1; done";
void runProcess({
  command: "sh",
  args: ["-c", agent],
  cwd: process.cwd(),
  env: process.env,
  maxLineBytes: 1_000,
  onStdoutLine: () => process.stdout.write("ready\\n"),
  onStderrLine: () => undefined,
});
`;

let folder: string;
let engineFile: string;
const engines: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "treadle-watchdog-"));
  engineFile = join(folder, "engine.mjs");
  await build({
    stdin: { contents: ENGINE, resolveDir: folder, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: engineFile,
  });
});
afterAll(() => {
  for (const engine of engines) engine.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** An engine with a running agent, all processes marked. */
async function startEngine(): Promise<{ engine: ChildProcess; marked(): number[] }> {
  const mark = `WATCHDOG_TEST=${newId()}`;
  const [name, value] = mark.split("=") as [string, string];
  const engine = spawn(process.execPath, [engineFile], {
    cwd: folder,
    env: { PATH: process.env["PATH"], [name]: value },
    stdio: ["ignore", "pipe", "inherit"],
  });
  engines.push(engine);
  await once(engine.stdout as NonNullable<typeof engine.stdout>, "data");
  return { engine, marked: () => processesWith(mark) };
}

/** Processes whose environment has this entry. */
function processesWith(entry: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(entry);
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe.skipIf(process.platform !== "linux")("when the engine dies", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)(
    "by %s, no process of its agents is left after 5 s",
    async (signal) => {
      const { engine, marked } = await startEngine();
      expect(marked().length).toBeGreaterThan(2);
      engine.kill(signal);
      await vi.waitFor(() => expect(marked()).toEqual([]), { timeout: 100_000, interval: 50 });
    },
  );
});
