import { readFileSync } from "node:fs";
import { livingPid } from "../../process/owner.js";
import { ServiceError } from "../../errors/service-error.js";
import { TASK_MARKER } from "../../model/task-marker.js";
import { OPEN_STATUSES } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import { eachRun } from "../drive/each-run.js";

/** Variables of the process that asks. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * An agent must not decide what it is asked to wait for: who is at work for a task changes nothing
 * about runs. It is recognized by its environment, by that of the processes it comes from (a shell may have
 * been started without the variable), and by coming from a process that drives a run of this database.
 *
 * @throws TASK_MAY_NOT_DECIDE
 */
export async function refuseInsideTask(
  { environment }: { environment: Environment },
  store: Store,
): Promise<void> {
  const ancestors = refuseMarkedTask({ environment });
  const owners = await owningPids(store);
  const owner = ancestors.find((pid) => owners.has(pid));
  if (owner !== undefined)
    throw refusal(`it comes from process ${owner}, which drives a run of this database`);
}

/**
 * The check without a database, for callers that act through a host. Returns the processes that this one comes from.
 * @throws TASK_MAY_NOT_DECIDE
 */
export function refuseMarkedTask({ environment }: { environment: Environment }): number[] {
  if (isSet(environment[TASK_MARKER])) throw refusal(`${TASK_MARKER} is set`);
  const ancestors = ancestorsOf(process.pid);
  const marked = ancestors.find(hasMarker);
  if (marked !== undefined) throw refusal(`it comes from process ${marked}, which works for a task`);
  return ancestors;
}

function refusal(why: string): ServiceError {
  return new ServiceError(
    "TASK_MAY_NOT_DECIDE",
    `This command was called from inside a task: ${why}. Nothing was changed.`,
  );
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/** The parents of a process, the nearest first; empty where the system has no /proc. */
function ancestorsOf(pid: number): number[] {
  const found: number[] = [];
  for (let at = parentOf(pid); at !== null && !found.includes(at); at = parentOf(at)) found.push(at);
  return found;
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program comes in parentheses and may hold anything.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    return parent > 0 ? parent : null;
  } catch {
    return null;
  }
}

/** As it was started: what a process does to its variables later does not show. */
function hasMarker(pid: number): boolean {
  try {
    const started = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return started.some((line) => line.startsWith(`${TASK_MARKER}=`) && line.length > TASK_MARKER.length + 1);
  } catch {
    // Another user's process.
    return false;
  }
}

async function owningPids(store: Store): Promise<Set<number>> {
  const statuses = OPEN_STATUSES;
  const pids = new Set<number>();
  for await (const { ownerId } of eachRun((page) => store.listRuns({ statuses, ...page }))) {
    const pid = ownerId === null ? null : livingPid(ownerId);
    if (pid !== null) pids.add(pid);
  }
  return pids;
}
