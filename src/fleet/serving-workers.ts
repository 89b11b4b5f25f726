import { isSameProcess, ownerLiveness } from "../process/owner.js";
import type { FleetStore, KnownWorker } from "../store/index.js";
import { DEAD_AFTER_MS } from "./fleet-parts.js";

/**
 * The queue that every process serves, the driver of a run included: its tasks go to workers as long as some other
 * process serves it, and else are executed in place. Queues of other names are for the workers that serve them: a
 * name such as `gpu` stands for what only their machines have, so its tasks wait for one.
 */
export const COMMON_QUEUE = "default";

/** An attempt of this queue and code that begins now. */
interface Wanted {
  readonly queue: string;
  readonly code: string;
}

/** Asks once, for any number of attempts, whether a worker besides this process takes them. */
export async function servedElsewhere(
  fleet: FleetStore,
  ownId: string,
): Promise<(wanted: Wanted) => boolean> {
  const workers = (await fleet.workers()).filter(({ id }) => !isSameProcess(id, ownId));
  return (wanted) => workers.some((worker) => takes(worker, wanted));
}

/** A worker that was silent for too long, or whose process is known to be dead. */
export function isGone(workerId: string, silentMs: number): boolean {
  return silentMs > DEAD_AFTER_MS || ownerLiveness(workerId) === "dead";
}

function takes(worker: KnownWorker, { queue, code }: Wanted): boolean {
  const { id, queues, workflows, isDraining, silentMs } = worker;
  const isThere = !isDraining && !isGone(id, silentMs);
  return isThere && queues.includes(queue) && workflows.some((own) => own.code === code);
}
