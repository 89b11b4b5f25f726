import { parseTaskKey, shapeOf, taskKey, type TaskKey } from "../../model/address.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { ServiceWorkflow } from "../../model/workflow.js";
import type { RunSnapshot } from "../../store/index.js";
import type { EngineServices, EngineWorkflow } from "../ports.js";
import { roundsOf } from "./reach.js";
import { renderRunSnapshot, withControls } from "./reset-snapshot.js";
import { rewoundLoops } from "./rewind.js";
import { isAboutRow } from "./unusable-row.js";

/**
 * The workflows of nodes that are subflows, as far as the code's tree around the first one tells.
 * @throws FrameWaits while a component is being loaded
 */
export function childWorkflows(
  services: EngineServices,
  workflow: EngineWorkflow,
  { runSnapshot, keys }: { runSnapshot: RunSnapshot; keys: readonly TaskKey[] },
): ReadonlyMap<TaskKey, ServiceWorkflow> {
  const { tasks } = frameAround(services, workflow, { runSnapshot, key: keys[0] as TaskKey });
  // Every round of a subflow has the same workflow.
  const byShape = new Map(
    tasks.flatMap(({ nodeId, subflow }) =>
      subflow === undefined ? [] : [[shapeOf(nodeId), subflow.workflow as ServiceWorkflow] as const],
    ),
  );
  const byKey = new Map<TaskKey, ServiceWorkflow>();
  for (const key of keys) {
    const child = byShape.get(shapeOf(parseTaskKey(key).nodeId));
    if (child !== undefined) byKey.set(key, child);
  }
  return byKey;
}

/**
 * The tree with the loops around a node at the node's rounds. Where its row is what keeps the tree from being drawn,
 * it is that without the row: to make the row anew is what mends it.
 */
function frameAround(
  services: EngineServices,
  workflow: EngineWorkflow,
  { runSnapshot, key }: { runSnapshot: RunSnapshot; key: TaskKey },
): RenderedFrame {
  const node = runSnapshot.nodes.find((row) => taskKey(row) === key);
  const then = withControls(runSnapshot, node === undefined ? [] : rewoundLoops(runSnapshot, roundsOf(node)));
  try {
    return renderRunSnapshot(services, workflow, then);
  } catch (thrown) {
    if (!isAboutRow(thrown, parseTaskKey(key))) throw thrown;
    const outputs = then.outputs.filter(({ row }) => taskKey(row) !== key);
    return renderRunSnapshot(services, workflow, { ...then, outputs });
  }
}
