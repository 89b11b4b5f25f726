import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { callIn } from "./in-process.js";

/** The built command, as an installation runs it. */
export const CLI_MAIN =
  process.env.TREADLE_TEST_MAIN ?? fileURLToPath(new URL("../../../dist/src/cli/main.js", import.meta.url));

/** A shell finds the command, as after an installation for the whole machine. */
export const SHELL_PATH = [
  fileURLToPath(new URL("bin", import.meta.url)),
  ...(process.env.PATH === undefined ? [] : [process.env.PATH]),
].join(delimiter);

export interface CommandResult {
  /** Null when a signal ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  /** Relative to the workspace. */
  cwd?: string;
  /** What standard input holds; nothing by default. */
  input?: string;
  env?: Record<string, string>;
}

/** A running `treadle`, for tests that talk to it while it works. */
export interface RunningCommand {
  readonly process: ChildProcess;
  readonly done: Promise<CommandResult>;
  /** Resolves when stdout or stderr so far contains the text; rejects when the process ends before. */
  seen(text: string): Promise<void>;
}

/** A folder of its own with workflow files, removed after the test. */
export class Workspace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "treadle-cli-")));

  constructor(files: Readonly<Record<string, string>> = {}) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  write(path: string, text: string): string {
    const target = this.path(path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  }

  /** What `treadle …args` answers: called in this process, unless its input or its environment matter. */
  async treadle(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const { cwd = ".", input, env } = options;
    if (input !== undefined || env !== undefined) return this.run(args, options);
    const environment = { PATH: SHELL_PATH, HOME: this.folder };
    return { ...(await callIn(this.path(cwd), args, environment)), signal: null };
  }

  /** Runs `treadle …args` as a process to its end. */
  run(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    return this.start(args, options).done;
  }

  /** As `treadle`, with `--json`, and the document it printed. */
  async json<T = Record<string, unknown>>(
    args: readonly string[],
    options: CommandOptions = {},
  ): Promise<CommandResult & { document: T }> {
    const result = await this.treadle([...args, "--json"], options);
    return { ...result, document: JSON.parse(result.stdout) as T };
  }

  start(args: readonly string[], { cwd = ".", input = "", env = {} }: CommandOptions = {}): RunningCommand {
    const child = spawn(process.execPath, [CLI_MAIN, ...args], {
      cwd: this.path(cwd),
      env: { PATH: SHELL_PATH, HOME: this.folder, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    return watch(child);
  }
}

/** Every command is a process: for what is about processes, or begins a run in one and continues with it in the next. */
export class ProcessWorkspace extends Workspace {
  override treadle(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    return this.run(args, options);
  }
}

function watch(child: ChildProcess): RunningCommand {
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  const add = (text: string, to: "out" | "err") => {
    if (to === "out") stdout += text;
    else stderr += text;
    for (const check of waiting) check();
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => add(text, "out"));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => add(text, "err"));
  const done = new Promise<CommandResult>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    process: child,
    done,
    seen: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!stdout.includes(text) && !stderr.includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
        void done.then(() => {
          check();
          reject(new Error(`The process ended without saying ${JSON.stringify(text)}:\n${stdout}${stderr}`));
        });
      }),
  };
}
