import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newId } from "../../src/util/ids.js";
import { createFakeTool } from "../agents/cli/support/fake-tool.js";
import { startModelServer } from "../support/model-server/index.js";
import { isIsolationPermitted } from "../tools/support/isolation.js";
import { temporaryFolder } from "./support/agent-run.js";
import { compileProgram } from "./support/compile-program.js";

const MARKS = /(?:^|\0)(?:TREADLE_[A-Z_]*CALL)=/;

/** Processes that inherited this variable, with what else they have. */
function environments(entry: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const text = readFileSync(`/proc/${pid}/environ`, "latin1");
        return text.split("\0").includes(entry) ? [text] : [];
      } catch {
        return [];
      }
    });
}

describe.skipIf(process.platform !== "linux")("when the engine's process is killed", () => {
  it.each(["cli", "bash"])("no child of its %s agent is left after 5 s", async (kind) => {
    const folder = temporaryFolder();
    const program = await compileProgram("test/e2e-agents/support/engine-program.tsx", folder);
    const fake = createFakeTool("forge");
    onTestFinished(() => fake.remove());
    fake.plays([{ out: "working\n" }, { orphan: true }, { ignoreTerm: true }, { hang: true }]);
    const server = await startModelServer(() => ({
      toolCalls: [{ name: "bash", input: { cmd: "setsid sleep 600 & sleep 600" } }],
    }));
    onTestFinished(() => server.close());
    // In the search path, because the tools hand their children a short list of variables.
    const mark = `/e2e-${newId()}`;
    const PATH = `${fake.env.PATH}:${mark}`;
    const isolation = isIsolationPermitted ? "required" : "none";
    const args = [program, kind, join(folder, "run.db"), server.baseURL, isolation];
    const engine = spawn(process.execPath, args, {
      cwd: fake.cwd,
      env: { PATH, HOME: fake.home },
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void engine.kill("SIGKILL"));
    const children = () => environments(`PATH=${PATH}`).filter((text) => MARKS.test(text));
    await vi.waitFor(() => expect(children().length).toBeGreaterThan(1), {
      timeout: 100_000,
      interval: 50,
    });
    engine.kill("SIGKILL");
    await vi.waitFor(() => expect(environments(`PATH=${PATH}`)).toEqual([]), {
      timeout: 100_000,
      interval: 50,
    });
  });
});
