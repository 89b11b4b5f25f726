import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SplitLine } from "../../../src/agents/process/line-splitter.js";
import { type ProcessRequest, runProcess } from "../../../src/agents/process/run-process.js";
import { ServiceError } from "../../../src/errors/service-error.js";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "treadle-process-"));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";

/** Runs a shell script; its lines are collected. */
async function run(script: string, extra: Partial<ProcessRequest> = {}) {
  const stdout: SplitLine[] = [];
  const stderr: SplitLine[] = [];
  const exit = await runProcess({
    command: "sh",
    args: ["-c", script],
    cwd,
    env: { PATH },
    maxLineBytes: 10_000,
    onStdoutLine: (line) => stdout.push(line),
    onStderrLine: (line) => stderr.push(line),
    ...extra,
  });
  return { ...exit, stdout: stdout.map(({ text }) => text), stderr: stderr.map(({ text }) => text) };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (ServiceError.is(error) ? error.code : error),
  );

/** Whether a process still runs; what is dead and merely not buried yet has no command line. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

describe("runProcess", () => {
  it("reads both streams line by line and tells how the process ended", async () => {
    const result = await run("echo one; echo two; echo oops >&2; exit 3");
    expect(result).toEqual({ exitCode: 3, killedBy: null, stdout: ["one", "two"], stderr: ["oops"] });
  });

  it("tells which signal ended the process", async () => {
    expect(await run("kill -s KILL $$")).toMatchObject({ exitCode: null, killedBy: "SIGKILL" });
  });

  it("hands over input of any size", async () => {
    const stdin = "x".repeat(3_000_000);
    expect((await run("wc -c", { stdin })).stdout.map(Number)).toEqual([stdin.length]);
  });

  it("survives a child that does not read its input", async () => {
    expect((await run("exit 0", { stdin: "x".repeat(1_000_000) })).exitCode).toBe(0);
  });

  it("passes arguments on as they are, without a shell in between", async () => {
    const result = await run("", { command: "printf", args: ["%s\\n", "$HOME; `id`", "a b"] });
    expect(result.stdout).toEqual(["$HOME; `id`", "a b"]);
  });

  it("gives the child the environment of the request only, and a mark", async () => {
    const { stdout } = await run("env", { env: { PATH, MINE: "1" } });
    const names = stdout.map((line) => line.split("=")[0]);
    expect(names).toContain("MINE");
    expect(names).toContain("TREADLE_CALL");
    expect(names).not.toContain("HOME");
  });

  it("says how to get a command that is missing, and that trying again is no use", async () => {
    const error: unknown = await run("", {
      command: "no-such-tool-9",
      install: "Install it with care.",
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "PROCESS_SPAWN_FAILED", details: { command: "no-such-tool-9" } });
    expect((error as Error).message).toContain("Install it with care.");
  });

  it("does not take commands from the working folder", async () => {
    writeFileSync(join(cwd, "local-tool"), "#!/bin/sh\necho local\n", { mode: 0o755 });
    const env = { PATH: `:${PATH}` };
    expect(await codeOf(run("", { command: "local-tool", args: [], env }))).toBe("PROCESS_SPAWN_FAILED");
  });

  it("names a working folder that does not exist", async () => {
    const error: unknown = await run("true", { cwd: join(cwd, "gone") }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "PROCESS_SPAWN_FAILED" });
    expect((error as Error).message).toContain("working folder");
  });

  it("refuses arguments that the system cannot take", async () => {
    const args = ["x".repeat(3_000_000)];
    expect(await codeOf(run("", { command: "true", args }))).toBe("PROCESS_SPAWN_FAILED");
  });

  it("stops a process that runs too long", async () => {
    expect(await codeOf(run("echo busy; sleep 600", { timeoutMs: 100 }))).toBe("PROCESS_TIMEOUT");
  });

  it("stops a process that has fallen silent", async () => {
    expect(await codeOf(run("echo first; sleep 600", { idleTimeoutMs: 100 }))).toBe("PROCESS_IDLE_TIMEOUT");
  });

  it("does not call a process silent that keeps printing", async () => {
    const script = "for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done";
    expect((await run(script, { idleTimeoutMs: 5_000 })).exitCode).toBe(0);
  });

  it("stops a process whose task is aborted", async () => {
    const controller = new AbortController();
    const onStdoutLine = () => controller.abort();
    const code = codeOf(run("echo ready; sleep 600", { signal: controller.signal, onStdoutLine }));
    expect(await code).toBe("PROCESS_ABORTED");
  });

  it("starts nothing when the task is aborted beforehand", async () => {
    const mark = join(cwd, "mark");
    expect(await codeOf(run(`touch "${mark}"`, { signal: AbortSignal.abort() }))).toBe("PROCESS_ABORTED");
    expect(existsSync(mark)).toBe(false);
  });

  it("lets a process clean up before it is stopped", async () => {
    const controller = new AbortController();
    const onStdoutLine = () => controller.abort();
    const script = `trap 'echo bye > done; exit 0' TERM; echo ready; sleep 600 & wait`;
    expect(await codeOf(run(script, { signal: controller.signal, onStdoutLine }))).toBe("PROCESS_ABORTED");
    expect(readFileSync(join(cwd, "done"), "utf8")).toBe("bye\n");
  });

  it("kills a process that will not stop", async () => {
    const controller = new AbortController();
    const onStdoutLine = () => controller.abort();
    const script = `trap '' TERM; echo ready; while :; do sleep 1; done`;
    const code = codeOf(run(script, { signal: controller.signal, onStdoutLine, graceMs: 50 }));
    expect(await code).toBe("PROCESS_ABORTED");
  });

  it("leaves no process behind, not even one that went into the background or a session of its own", async () => {
    const stray = `setsid sh -c 'echo $$ > stray; exec sleep 600' & until [ -s stray ]; do :; done; cat stray`;
    const { stdout } = await run(`sleep 600 & echo $!; ${stray}`);
    const pids = stdout.map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  it("lets a conversation continue over stdin", async () => {
    const result = await run("read a; echo got $a; read b; echo got $b", {
      stdin: "one\n",
      keepStdinOpen: true,
      onStdoutLine(line, stdin) {
        if (line.text === "got one") stdin.write("two\n");
        else stdin.end();
      },
    });
    expect(result.exitCode).toBe(0);
  });

  it("stops, and rejects with what a listener throws", async () => {
    const failure = new Error("listener failed");
    const onStdoutLine = () => {
      throw failure;
    };
    expect(await codeOf(run("echo one; sleep 600", { onStdoutLine }))).toBe(failure);
  });
});
