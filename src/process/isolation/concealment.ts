import { ServiceError } from "../../errors/service-error.js";
import type { Isolation } from "./isolation.js";
import { coversFor } from "./ways.js";
import { builtin } from "../../util/builtin.js";

/** A way that does not answer within this is none, milliseconds. */
const LONGEST_TRIAL_MS = 30_000;

/** How the trial of a way has ended. */
interface Trial {
  /** Why it cannot be set up; undefined when it can. */
  readonly refusal: string | undefined;
  /** It did not end by itself, as on a machine that is too busy: another one may end well. */
  readonly isCut: boolean;
}

/** The results of the trials, by the whole command line: which files are there to cover is part of it. */
const known = new Map<string, Promise<Trial>>();

/**
 * A command line to put before a command that is not to see `hidden`, and is to keep everything else. Each way
 * is tried on a command that does nothing: one that cannot be set up is passed over.
 * @param what the command, as the refusal names it
 * @throws TOOL_ISOLATION_UNAVAILABLE with the reason of each way, when the host permits none
 */
export async function concealment(
  what: string,
  hidden: readonly string[],
  ways: readonly Isolation[] = coversFor(hidden),
): Promise<readonly string[]> {
  const refusals: string[] = [];
  let wasCut = false;
  for (const { tool, argv } of ways) {
    const { refusal, isCut } = await trialOf(argv);
    if (refusal === undefined) return argv;
    refusals.push(`${tool}: ${refusal}`);
    wasCut ||= isCut;
  }
  throw new ServiceError(
    "TOOL_ISOLATION_UNAVAILABLE",
    `This host cannot keep the workspace's database from "${what}" (${refusals.join("; ") || "no tool for it is installed"}).`,
    { details: { command: what, hidden, refusals }, ...(wasCut && { retryable: true }) },
  );
}

async function trialOf(argv: readonly string[]): Promise<Trial> {
  const key = JSON.stringify(argv);
  const trial = known.get(key) ?? attempt(argv);
  known.set(key, trial);
  const ended = await trial;
  if (ended.isCut) known.delete(key);
  return ended;
}

function attempt([program = "", ...args]: readonly string[]): Promise<Trial> {
  return new Promise((resolve) => {
    const options = { cwd: "/", env: {}, timeout: LONGEST_TRIAL_MS };
    const { execFile } = builtin("node:child_process");
    execFile(program, [...args, "/bin/sh", "-c", ":"], options, (error, _stdout, stderr) => {
      if (error === null) return resolve({ refusal: undefined, isCut: false });
      const refusal = stderr.trim().slice(0, 300) || error.message.split("\n")[0];
      // Otherwise it was ended by a signal, or could not be started.
      resolve({ refusal, isCut: typeof error.code !== "number" });
    });
  });
}
