/**
 * Addresses: the one place that makes and parses them. Whatever has an inner
 * structure carries a brand, so that it comes from here; a plain id, as an
 * author or a caller writes it, is a string.
 *
 * | what | text |
 * |---|---|
 * | node, inside nested loops | `write@@outer=2` (`@@<loop>=<iteration>` of every loop but the innermost) |
 * | loop, saga, try block | `inner@@outer=2` (of every loop around it) |
 * | scope of an inline subflow | `@@outer/inner` (its path, see `id-scope.ts`) |
 * | task of a run | `write@@outer=2::1` (node and iteration) |
 * | task among all runs | `run-1:write@@outer=2:1`, which is also the id of its child run |
 */

declare const kind: unique symbol;

type Address<Kind extends string> = string & { readonly [kind]: Kind };

/** `nodeId::iteration`: a task within its run. */
export type TaskKey = Address<"task">;

/** The key of what is no task. */
export const NO_TASK = "" as TaskKey;

/** Id of a loop, saga or try block with the iterations of the loops around it: it has one state for each of them. */
export type ControlId = Address<"control">;

/** `runId:nodeId:iteration`: a task among all runs, the same in every attempt; the id of its child run. */
export type GlobalTaskId = Address<"global-task">;

/** Which task of a run. */
export interface TaskPlace {
  readonly nodeId: string;
  readonly iteration: number;
}

/** Whether an event, or anything else that may do so, names a task. */
export function hasTaskPlace<T extends object>(value: T): value is T & TaskPlace {
  const { nodeId, iteration } = value as Partial<TaskPlace>;
  return nodeId !== undefined && iteration !== undefined;
}

/** An iteration of a loop. */
export interface LoopRound {
  /** As the author wrote it, or the default made of the loop's position. */
  id: string;
  iteration: number;
}

/** One loop around a place in the tree. */
export interface EnclosingLoop extends LoopRound {
  /** The key of the loop's state. */
  controlId: ControlId;
}

/** Starts the iteration of a loop in an address; no id that an author writes may contain it. */
export const ROUND_MARK = "@@";

export function taskKey({ nodeId, iteration }: TaskPlace): TaskKey {
  return `${nodeId}::${iteration}` as TaskKey;
}

/** Reads a {@link TaskKey}; rows and results hold them as plain text. */
export function parseTaskKey(key: string): { nodeId: string; iteration: number } {
  const at = key.lastIndexOf("::");
  return { nodeId: key.slice(0, at), iteration: Number(key.slice(at + 2)) };
}

/** The node of a parent run whose subflow a child run is. */
export interface SubflowNode extends TaskPlace {
  readonly runId: string;
}

export function globalTaskId({ runId, nodeId, iteration }: SubflowNode): GlobalTaskId {
  return `${runId}:${nodeId}:${iteration}` as GlobalTaskId;
}

/** Null when the run has a parent but is no subflow of it. */
export function subflowNodeOf(childRunId: string, parentRunId: string): SubflowNode | null {
  if (!childRunId.startsWith(`${parentRunId}:`)) return null;
  const address = childRunId.slice(parentRunId.length + 1);
  const at = address.lastIndexOf(":");
  if (at < 0) return null;
  return { runId: parentRunId, nodeId: address.slice(0, at), iteration: Number(address.slice(at + 1)) };
}

/** The requester of a child run's cancellation that comes from its parent's node alone. */
export function parentAsRequester(parentRunId: string): string {
  return `run:${parentRunId}`;
}

/** Address of a loop, saga or try block, and of what is written inside these loops (outermost first). */
export function controlId(id: string, loops: readonly LoopRound[]): ControlId {
  let address = id;
  for (const loop of loops) address += `${ROUND_MARK}${loop.id}=${loop.iteration}`;
  return address as ControlId;
}

/** Under which a run keeps how the ids in an inline subflow begin. */
export function scopeId(path: string): string {
  return ROUND_MARK + path;
}

/** Undefined for ids of anything else. */
export function pathOfScope(id: string): string | undefined {
  return id.startsWith(ROUND_MARK) ? id.slice(ROUND_MARK.length) : undefined;
}

/** Address of a task. The task's iteration identifies the round of the innermost loop, the id that of the others. */
export function nodeIdInside(id: string, loops: readonly EnclosingLoop[]): string {
  return loops.length < 2 ? id : controlId(id, loops.slice(0, -1));
}

/** The id as its author wrote it. */
export function writtenId(address: string): string {
  const at = address.indexOf(ROUND_MARK);
  return at < 0 ? address : address.slice(0, at);
}

/** Whether a node stands in a loop inside a loop. */
export function isNested(nodeId: string): boolean {
  return nodeId.includes(ROUND_MARK);
}

/** The loops that an address names, outermost first. */
export function roundsIn(address: string): LoopRound[] {
  const [, ...around] = address.split(ROUND_MARK);
  return around.map((part) => {
    const at = part.lastIndexOf("=");
    return { id: part.slice(0, at), iteration: Number(part.slice(at + 1)) };
  });
}

/** An address without the iterations in it: the same for each round of the loops around. */
export function shapeOf(address: string): string {
  return [writtenId(address), ...roundsIn(address).map(({ id }) => id)].join(ROUND_MARK);
}

/** Whether an address inside nested loops stands for later rounds than another one: the outermost loop that differs decides. */
export function isLaterRound(address: string, than: string): boolean {
  const [mine, theirs] = [address, than].map((each) => roundsIn(each).map(({ iteration }) => iteration)) as [
    number[],
    number[],
  ];
  const at = mine.findIndex((round, index) => round !== theirs[index]);
  return at >= 0 && (mine[at] as number) > (theirs[at] ?? -1);
}
