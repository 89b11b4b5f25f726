/** The node of a parent run whose subflow a child run is. */
export interface SubflowNode {
  runId: string;
  nodeId: string;
  iteration: number;
}

export function childRunId({ runId, nodeId, iteration }: SubflowNode): string {
  return `${runId}:${nodeId}:${iteration}`;
}

/** Who cancelled a child run that ended with its parent's node: nobody else wanted it to end. */
export function parentAsRequester(parentRunId: string): string {
  return `run:${parentRunId}`;
}

/** Null when the run has a parent but is no subflow of it. */
export function subflowNodeOf(childId: string, parentRunId: string): SubflowNode | null {
  if (!childId.startsWith(`${parentRunId}:`)) return null;
  const address = childId.slice(parentRunId.length + 1);
  const at = address.lastIndexOf(":");
  if (at < 0) return null;
  return { runId: parentRunId, nodeId: address.slice(0, at), iteration: Number(address.slice(at + 1)) };
}
