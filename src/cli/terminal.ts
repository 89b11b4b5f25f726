import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import { OutputStream } from "./output/stream.js";
import { runnerOf } from "./runs/runner.js";

/** Everything a command may touch of the process around it. */
export interface Terminal {
  /** Results, nothing else. */
  readonly out: OutputStream;
  /** Progress, questions, errors. */
  readonly err: OutputStream;
  readonly input: Readable;
  readonly environment: NodeJS.ProcessEnv;
  /** The folder the command was called in. */
  readonly cwd: string;
  /** The words in front of a command's name: `treadle`, `npx treadle`, a path. */
  readonly runner: string;
  /** A person can answer a question: both ends are terminals and `CI` is not set. */
  readonly isInteractive: boolean;
}

const STDIN = 0;

export function processTerminal(): Terminal {
  const { env } = process;
  const cwd = process.cwd();
  const err = new OutputStream(process.stderr, env);
  return {
    out: new OutputStream(process.stdout, env),
    err,
    // Opened by the first reader only: an unread standard input must not hold anything up.
    get input() {
      return process.stdin;
    },
    environment: env,
    cwd,
    get runner() {
      return runnerOf({ script: process.argv[1] ?? "treadle", environment: env, cwd });
    },
    isInteractive: isatty(STDIN) && err.isTty && !isOn(env.CI),
  };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
