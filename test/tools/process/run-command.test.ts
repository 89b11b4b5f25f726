import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandRequest, runCommand } from "../../../src/tools/process/run-command.js";
import { workspace } from "../support/workspace.js";

async function run(request: Partial<CommandRequest>) {
  return runCommand({
    argv: ["true"],
    cwd: await workspace(),
    env: { PATH: process.env["PATH"] ?? "" },
    signal: new AbortController().signal,
    maxOutputBytes: 1_000,
    ...request,
  });
}

describe("running a command", () => {
  it("gives exit code and output", async () => {
    expect(await run({ argv: ["sh", "-c", "echo out; exit 4"] })).toEqual({
      exitCode: 4,
      killedBy: null,
      output: "out\n",
      began: true,
    });
  });

  it("kills at once when the signal fired before", async () => {
    const result = await run({ argv: ["sleep", "60"], signal: AbortSignal.abort() });
    expect(result.killedBy).toBe("SIGKILL");
  });

  it("leaves none of its own descriptors to the command", async () => {
    const argv = ["sh", "-c", "for fd in 3 4; do (true >&$fd) 2>/dev/null && echo $fd open; done; true"];
    expect((await run({ argv })).output).toBe("");
  });

  it("says so when the folder to run in is gone", async () => {
    const cwd = join(await workspace(), "gone");
    await expect(run({ cwd })).rejects.toMatchObject({
      code: "PROCESS_SPAWN_FAILED",
      summary: 'The command "true" cannot be started (ENOENT).',
      details: { command: "true", cwd },
    });
  });

  it("says so when the arguments are more than the system takes", async () => {
    const argv = ["true", ...Array.from({ length: 100 }, () => "x".repeat(100_000))];
    await expect(run({ argv })).rejects.toMatchObject({
      code: "PROCESS_SPAWN_FAILED",
      message: expect.stringContaining("E2BIG"),
    });
  });
});
