import { applyDelta } from "../graph/frame-delta.js";
import { xmlText } from "../graph/xml-text.js";
import type { NodeState } from "../model/node.js";
import type { OutputRow } from "../model/schema.js";
import type { Store } from "../store/index.js";

/** A task of the run as it stands now. */
export interface TestedTask {
  nodeId: string;
  iteration: number;
  /** Of the node: `pending`, `in-progress`, `waiting-approval`, `finished` … */
  state: NodeState;
  /** Attempts made so far. */
  attempts: number;
  /** Its row; absent while there is none. */
  output?: OutputRow;
}

/** Every node that a run has mounted so far. */
export async function testedTasks(store: Store, runId: string): Promise<TestedTask[]> {
  const tasks: TestedTask[] = [];
  for (const { nodeId, iteration, state, lastAttempt } of await store.listNodes(runId)) {
    const output = await store.readOutput(runId, nodeId, iteration);
    tasks.push({
      nodeId,
      iteration,
      state,
      attempts: lastAttempt,
      ...(output !== undefined && { output }),
    });
  }
  return tasks;
}

/** The tree of each frame of a run as XML text, oldest first. */
export async function frameTexts(store: Store, runId: string): Promise<string[]> {
  const rows = await store.listFrames(runId, { limit: 1_000_000 });
  const texts: string[] = [];
  for (const { frameNo } of rows.toReversed()) {
    const chain = await store.snapshotChain(runId, frameNo);
    texts.push(chain === undefined ? "" : xmlText(applyDelta(chain).xml));
  }
  return texts;
}
