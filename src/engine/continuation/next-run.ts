import { type TaskKey, taskKey } from "../../model/address.js";
import { childRunId } from "../../model/child-run-id.js";
import { isTerminalNode, type NodeRow } from "../../model/node.js";
import type { ContinuationEnvelope, RunConfig } from "../../model/run-config.js";
import type { ContinuationRequest, SchedulerView } from "../../scheduler/index.js";
import type { NewRun, OutputWrite, Store } from "../../store/index.js";
import { newId } from "../../util/ids.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import type { OutputIndex } from "../view/outputs.js";
import { carriedState } from "./carried-state.js";
import { idleRuns } from "./idle-runs.js";
import { type Progress, progressOf } from "./progress.js";

/** The part of a session that another run continues from. */
export interface ContinuingRun {
  readonly runId: string;
  readonly workflowName: string;
  readonly workflowPath: string | null;
  readonly workflowHash: string | null;
  readonly view: { readonly workflow: Pick<EngineWorkflow, "loaded"> };
  readonly input: Record<string, unknown>;
  readonly config: RunConfig;
  readonly state: SchedulerView;
  readonly outputs: OutputIndex;
  readonly services: Pick<EngineServices, "store">;
  readonly ownerId: string;
  /** The next run of a continue-as-new chain is driven by this process. */
  readonly followContinuation: boolean;
}

/** The run that continues with what another one leaves, for the commit that ends that one. */
export interface NextRun {
  readonly run: NewRun & Required<Pick<NewRun, "seed">>;
  /** Runs before it in the chain. */
  readonly depth: number;
  /** Of the state that was handed over, bytes of JSON. */
  readonly stateSize: number;
}

/** @throws INVALID_CONTINUATION_STATE, CONTINUATION_STATE_TOO_LARGE, SCHEDULER_ERROR of a chain that does nothing */
export function nextRun(ending: ContinuingRun, request: ContinuationRequest, nowMs: number): NextRun {
  const before = ending.config.continuation;
  const state = request.keepsState === true ? before?.state : request.state;
  const carried = carriedState(state, ending.runId);
  const progress = progressOf(ending.state, request);
  const idle = idleRuns({ ...ending, progress, isBounded: request.isBounded === true }, before?.idle);
  const depth = (before?.depth ?? 0) + 1;
  const continuation: ContinuationEnvelope = {
    fromRunId: ending.runId,
    depth,
    timers: progress.timers,
    ...childrenOf(ending, progress),
    earlierRows: earlierRows(progress, ending.outputs),
    ...(idle !== undefined && { idle }),
    ...("value" in carried && { state: carried.value }),
  };
  const runId = newId();
  const run = {
    runId,
    parentRunId: ending.runId,
    workflowName: ending.workflowName,
    workflowPath: ending.workflowPath,
    workflowHash: ending.workflowHash,
    ...(ending.view.workflow.loaded !== null && { loaded: ending.view.workflow.loaded }),
    input: ending.input,
    ownerId: ending.followContinuation ? ending.ownerId : null,
    nowMs,
    config: { ...ending.config, continuation },
    seed: {
      nodes: [...progress.nodes],
      outputs: writesOf(progress, ending.outputs, ending.services.store),
      controls: [...progress.controls],
      approvals: progress.approvals.map((row) => ({ ...row, runId })),
      attempts: [],
    },
  };
  return { run, depth, stateSize: carried.size };
}

/** Child runs go along, also those of an earlier run that this one has not come to. */
function childrenOf(ending: ContinuingRun, { subflows }: Progress): Pick<ContinuationEnvelope, "children"> {
  const children: Record<TaskKey, string> = {};
  for (const [key, id] of Object.entries(ending.config.continuation?.children ?? {}) as [TaskKey, string][]) {
    const row = ending.state.nodes.get(key)?.row;
    if (row === undefined || (row.lastAttempt === 0 && !isTerminalNode(row.state))) children[key] = id;
  }
  for (const row of subflows) children[taskKey(row)] = childRunId(ending, row);
  return Object.keys(children).length === 0 ? {} : { children };
}

function writesOf({ nodes }: Progress, outputs: OutputIndex, store: Pick<Store, "codec">): OutputWrite[] {
  return nodes.flatMap(({ outputKey, nodeId, iteration }) => {
    const row = outputKey === "" ? undefined : outputs.get(outputKey, nodeId, iteration);
    if (row === undefined) return [];
    return [{ outputKey, nodeId, iteration, columns: store.codec(outputKey).encode({ ...row }) }];
  });
}

/** Of each node that comes along, the rows that do not. */
function earlierRows({ nodes }: Progress, outputs: OutputIndex): Record<string, Record<string, number>> {
  const taken = new Map<string, { node: NodeRow; rows: number }>();
  for (const node of nodes) {
    const { outputKey, nodeId, iteration } = node;
    if (!outputs.has(outputKey, nodeId, iteration)) continue;
    const name = JSON.stringify([outputKey, nodeId]);
    taken.set(name, { node, rows: (taken.get(name)?.rows ?? 0) + 1 });
  }
  const earlier: Record<string, Record<string, number>> = {};
  for (const { node, rows } of taken.values()) {
    const left = outputs.count(node.outputKey, node.nodeId) - rows;
    if (left > 0) earlier[node.outputKey] = { ...earlier[node.outputKey], [node.nodeId]: left };
  }
  return earlier;
}
