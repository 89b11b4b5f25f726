import { taskKey } from "../../src/model/address.js";
import { COMPOSITE_ROWS } from "../../src/model/composite-rows.js";
import { isTerminalNode } from "../../src/model/node.js";
import { isTerminal, type RunRow } from "../../src/model/run.js";
import type { OutputRow } from "../../src/model/schema.js";
import { schemas } from "./build.js";
import type { Member } from "./family.js";
import type { Store } from "../../src/store/contract.js";

/** What two runs of one plan must have in common, by names that do not depend on run ids. */
export interface RunOutcome {
  status: string;
  failure: string | null;
  summary: unknown;
  nodes: Record<string, string>;
  outputs: Record<string, string>;
}

export type Outcome = Record<string, RunOutcome>;

/** Fields of rows that say when or in which run, not what. */
const INCIDENTAL = new Set(["runId", "decidedAt"]);

export async function readOutcome(store: Store, members: readonly Member[]): Promise<Outcome> {
  const outcome: Outcome = {};
  for (const { run, name } of members) {
    const nodes: Record<string, string> = {};
    const outputs: Record<string, string> = {};
    for (const { nodeId, iteration, state, failures } of await store.listNodes(run.runId)) {
      const key = taskKey({ nodeId, iteration });
      // Nodes that a frame has mounted and that never came to anything leave no trace worth comparing.
      if (isTerminalNode(state) || state.startsWith("waiting-")) nodes[key] = `${state} after ${failures}`;
    }
    for (const [key, row] of await rowsOf(store, run.runId)) {
      outputs[key] = JSON.stringify(row, (field, value) => (INCIDENTAL.has(field) ? undefined : value));
    }
    const { error, summary } = run;
    outcome[name] = {
      status: run.status,
      failure: error === null ? null : `${error.code}: ${String(error.details?.nodeId)}`,
      summary: summary === null ? null : JSON.parse(sortedText(summary)),
      nodes,
      outputs,
    };
  }
  return outcome;
}

/**
 * A chain of runs as one: what the same plan comes to in a single run. Of a node that
 * has come along the newest run tells. Each run reports the failures that it survived.
 */
export function asOneRun(outcome: Outcome): Outcome {
  const whole: Outcome = {};
  for (const [name, run] of Object.entries(outcome)) {
    const first = name.replaceAll("+", "");
    const { nodes, outputs } = whole[first] ?? { nodes: {}, outputs: {} };
    whole[first] = {
      ...run,
      summary: null,
      nodes: { ...nodes, ...run.nodes },
      outputs: { ...outputs, ...run.outputs },
    };
  }
  return whole;
}

/** Every output row of a run by the key of its node. */
export async function rowsOf(store: Store, runId: string): Promise<Map<string, OutputRow>> {
  const keys = [...Object.keys(schemas), COMPOSITE_ROWS];
  const rows = await Promise.all(keys.map((outputKey) => store.listOutputs(runId, outputKey)));
  return new Map(rows.flat().map((row) => [taskKey(row), row]));
}

function sortedText(summary: object): string {
  return JSON.stringify(summary, (_, value) => (Array.isArray(value) ? [...value].sort() : value));
}

/** How two outcomes differ. Where siblings race with a failure, only what both have must agree. */
export function differences(expected: Outcome, actual: Outcome, isRacy: boolean): string[] {
  const found: string[] = [];
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const [a, b] = [expected[name], actual[name]];
    if (a === undefined || b === undefined) {
      if (!isRacy) found.push(`run ${name}: only ${a === undefined ? "with" : "without"} crashes`);
      continue;
    }
    for (const key of new Set([...Object.keys(a.outputs), ...Object.keys(b.outputs)])) {
      if (isRacy && (a.outputs[key] === undefined || b.outputs[key] === undefined)) continue;
      if (a.outputs[key] !== b.outputs[key])
        found.push(`run ${name}, row of ${key}: ${a.outputs[key]} became ${b.outputs[key]}`);
    }
    if (isRacy) continue;
    for (const key of new Set([...Object.keys(a.nodes), ...Object.keys(b.nodes)])) {
      if (a.nodes[key] !== b.nodes[key])
        found.push(`run ${name}, node ${key}: ${a.nodes[key]} became ${b.nodes[key]}`);
    }
    for (const field of ["status", "failure"] as const) {
      if (a[field] !== b[field]) found.push(`run ${name}: ${field} ${a[field]} became ${b[field]}`);
    }
    const [before, after] = [JSON.stringify(a.summary), JSON.stringify(b.summary)];
    if (before !== after) found.push(`run ${name}: summary ${before} became ${after}`);
  }
  return found;
}

/** Runs that ended have nothing left open, and nothing waits after a run that finished. */
export async function openEnds(store: Store, members: readonly Member[]): Promise<string[]> {
  const isFinished = members.findLast(({ name }) => !name.includes(":"))?.run.status === "finished";
  const open: string[] = [];
  for (const { run } of members) {
    const { runId, status } = run;
    if (isTerminal(status)) open.push(...(await openInside(store, run)));
    else if (isFinished) open.push(`run ${runId} is ${status} after its family has finished`);
  }
  return open;
}

async function openInside(store: Store, { runId, status }: RunRow): Promise<string[]> {
  const open: string[] = [];
  for (const { nodeId, attempt, state } of await store.listAttempts(runId)) {
    if (state === "in-progress") open.push(`${nodeId} #${attempt} is in progress in a run that is ${status}`);
  }
  for (const { nodeId, iteration, state } of status === "finished" ? await store.listNodes(runId) : []) {
    if (!isTerminalNode(state)) open.push(`${nodeId}::${iteration} is ${state} in a run that is finished`);
  }
  return open;
}
