import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { deserializeError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import { OwnFolder } from "../../process/own-folder.js";
import { workflowRoot } from "../../operations/index.js";
import { isPostgresUrl } from "../../store/index.js";
import { newId } from "../../util/ids.js";
import { shellWord } from "../../util/shell-word.js";
import type { CommandCall } from "../command.js";
import { treadleCommand } from "../../util/treadle-command.js";
import type { Report } from "../report.js";
import { createCommandText } from "../runs/command-text.js";
import { onInterrupt } from "../runs/interrupts.js";
import { DETACHED_RUN, type DetachedWord } from "./detached-child.js";
import type { UpOptions } from "./prepare-run.js";

const LOG_FOLDER = join(".service", "logs");
/** Of a log, where nothing better says why the process has ended. */
const TAIL_LINES = 15;

/**
 * Makes the call again in a process of its own, which outlives this one and its terminal, and waits until its run
 * is in the database.
 * @throws what keeps the run from starting; PROCESS_SPAWN_FAILED for a process that ends before it could say why
 */
export async function detach(call: CommandCall<UpOptions>): Promise<Report> {
  const { options, terminal } = call;
  refuseStandardInput(options);
  const isNew = options.resume === undefined;
  const newRunId = options.runId ?? newId();
  const folder = logFolder(call);
  const logFile = join(folder, `${isNew ? newRunId : `resume-${newId()}`}.log`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = new OwnFolder(folder).open(basename(logFile), constants.O_APPEND);
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    cwd: terminal.cwd,
    env: { ...terminal.environment, [DETACHED_RUN]: isNew ? newRunId : "" },
    // In a session of its own no terminal can hang it up.
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  const forget = onInterrupt((signal) => child.kill(signal));
  const word = await firstWord(child, logFile).finally(forget);
  child.unref();
  if ("error" in word) throw deserializeError(word.error);
  return reportOf(call, { ...word, pid: child.pid as number, logFile });
}

function refuseStandardInput(options: UpOptions): void {
  for (const flag of ["input", "config", "annotations"] as const) {
    if (options[flag] !== "-") continue;
    throw new ServiceError(
      "CLI_USAGE",
      `--${flag} - cannot go with --detach: nothing is typed to it; use @file.`,
    );
  }
}

function logFolder({ options, terminal }: CommandCall<UpOptions>): string {
  const { db } = options;
  const isFile = db !== undefined && !isPostgresUrl(db);
  const root = isFile ? dirname(resolve(terminal.cwd, db)) : workflowRoot(terminal.cwd);
  return join(root, LOG_FOLDER);
}

function firstWord(child: ChildProcess, logFile: string): Promise<DetachedWord> {
  return new Promise((resolve, refuse) => {
    child.once("message", (word) => {
      child.disconnect();
      resolve(word as DetachedWord);
    });
    child.once("error", refuse);
    child.once("exit", (code, signal) => refuse(endedEarly({ code, signal, logFile })));
  });
}

function endedEarly(about: { code: number | null; signal: string | null; logFile: string }): ServiceError {
  const { code, signal, logFile } = about;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const tail = readFileSync(logFile, "utf8").trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  return new ServiceError(
    "PROCESS_SPAWN_FAILED",
    `The detached process ended ${how} before its run had begun${tail === "" ? "." : `; the end of its log:\n${tail}`}`,
    { details: { exitCode: code, signal, logFile } },
  );
}

interface Detached {
  runId: string;
  db?: string;
  url?: string;
  pid: number;
  logFile: string;
}

function reportOf({ terminal, options }: CommandCall<UpOptions>, detached: Detached): Report {
  const { runId, pid, db = options.db, url, logFile } = detached;
  const commandText = createCommandText({
    terminal,
    options: { ...options, ...(db !== undefined && { db }) },
  });
  const follow = commandText(treadleCommand("logs", [runId], { follow: true }));
  const cancel = commandText(treadleCommand("cancel", [runId]));
  return {
    json: { runId, pid, logFile, ...(url !== undefined && { url }), follow, cancel },
    text: () => {
      const { colors } = terminal.err;
      const lines: [name: string, text: string][] = [
        ...(url === undefined ? [] : ([["served at", url]] as [string, string][])),
        ["follow", colors.cyan(follow)],
        ["stop", `${colors.cyan(`kill ${pid}`)} leaves it resumable, ${colors.cyan(cancel)} ends it`],
        ["log", shellWord(relative(terminal.cwd, logFile))],
      ];
      terminal.err.line(`▶ run ${runId} continues in process ${pid}`);
      for (const [name, text] of lines) terminal.err.line(`  ${name.padEnd(9)} ${text}`);
      return runId;
    },
  };
}
