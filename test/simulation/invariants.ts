import { type TaskKey, taskKey } from "../../src/model/address.js";
import { type NodeHistory, readLog } from "../support/random-workflows/log.js";
import type { Order } from "../support/random-workflows/order.js";
import type { Member } from "./family.js";
import { rowsOf } from "./outcome.js";
import type { Store } from "../../src/store/contract.js";

/** What every event log must satisfy, whatever happened to the processes that wrote it. */
export async function brokenInvariants(store: Store, runId: string, order: Order): Promise<string[]> {
  const log = await store.listEvents(runId, { limit: 1_000_000 });
  const broken: string[] = [];
  log.forEach(({ seq }, at) => {
    if (seq !== at) broken.push(`event ${at} has seq ${seq}`);
  });
  const isContinued = (await store.getRun(runId))?.config.continuation !== undefined;
  const events = log.map(({ event }) => event);
  const reading = readLog(events, order, isContinued);
  broken.push(...reading.broken);
  broken.push(...(await rowsWithoutFinish(store, runId, reading.histories)));
  broken.push(...(await badAttempts(store, runId, isContinued)));
  return broken.map((text) => `run ${runId}: ${text}`);
}

async function rowsWithoutFinish(
  store: Store,
  runId: string,
  histories: ReadonlyMap<TaskKey, NodeHistory>,
): Promise<string[]> {
  const rows = await rowsOf(store, runId);
  const nodes = await store.listNodes(runId);
  return nodes.flatMap(({ nodeId, iteration, state, finishedSeq }) => {
    const key = taskKey({ nodeId, iteration });
    const isFinished = histories.get(key)?.finishes === 1;
    const hasRow = rows.has(key);
    const broken: string[] = [];
    if (finishedSeq !== null && finishedSeq < 0) {
      // It came along from the run before.
      const started = histories.get(key)?.started.length ?? 0;
      return started === 0 ? [] : [`${key} had finished before the run began, and started again`];
    }
    if (hasRow && !isFinished) broken.push(`${key} has a row and no finish`);
    if ((state === "finished") !== isFinished)
      broken.push(`${key} is ${state}, finished in the log: ${isFinished}`);
    return broken;
  });
}

/** Attempts are numbered without gaps, and only the newest may be anything but closed. Some may be in an earlier run. */
async function badAttempts(store: Store, runId: string, isContinued: boolean): Promise<string[]> {
  const numbers = new Map<string, number>();
  const attempts = await store.listAttempts(runId);
  return attempts.flatMap(({ nodeId, iteration, attempt }) => {
    const key = taskKey({ nodeId, iteration });
    const expected = (numbers.get(key) ?? (isContinued ? attempt - 1 : 0)) + 1;
    numbers.set(key, attempt);
    return attempt === expected ? [] : [`${key} has attempt ${attempt} where ${expected} belongs`];
  });
}

/**
 * Through a chain of runs each task finishes once: what has finished comes along. A
 * failure may have made a block begin again, which is another matter.
 */
export async function finishedAgain(store: Store, members: readonly Member[]): Promise<string[]> {
  if (members.some(({ run }) => run.status === "failed")) return [];
  const seen = new Set<string>();
  const again: string[] = [];
  for (const { run, name } of members) {
    for (const { event } of await store.listEvents(run.runId, { limit: 1_000_000 })) {
      if (event.type !== "NodeFinished") continue;
      const address = `${name.replaceAll("+", "")} ${taskKey(event)}`;
      if (seen.has(address)) again.push(`${address} finished in more than one run of its chain`);
      seen.add(address);
    }
  }
  return again;
}
