import type { XmlNode } from "../../model/xml.js";
import type { NodeRow } from "../../model/node.js";
import type { TimedNode } from "../../operations/index.js";
import { isRecord } from "../../util/is-record.js";
import { lookOf } from "../parts/State.js";
import { handlesFailures, retriesOf } from "./retries.js";

/** A task; of one in the past of a run its times are not known. */
export type TreeNode = NodeRow & Partial<TimedNode>;

/** A line of the tree: an element around tasks, or a task with its iterations. */
export interface TreeRow {
  /** Stays the same while the tree does. */
  key: string;
  level: number;
  tag: string;
  /** Id or name of the element; null without. */
  name: string | null;
  /** Iterations, newest last; empty for what is no task. */
  nodes: readonly TreeNode[];
  /** Whether other lines stand below it. */
  isGroup: boolean;
  /** Tasks below it, itself included. */
  total: number;
  done: number;
  failed: number;
  /** It has left the tree. */
  isGone: boolean;
  /** Its author says that it matters little: `meta={{ importance: "low" }}`. */
  isLow: boolean;
  /** Retries that its task has, Infinity where they have no end; null where the frame does not tell. */
  retries: number | null;
}

/** What the frame says a task is, with its place. */
export interface FrameTaskPlace {
  nodeId: string;
}

/**
 * The tree of a frame with the tasks of the run in it, in document order. Tasks that no element of the frame stands for come
 * last: none is left out.
 */
export function treeRows(
  xml: XmlNode | null,
  tasks: readonly FrameTaskPlace[],
  nodes: readonly TreeNode[],
): TreeRow[] {
  const byId = new Map<string, TreeNode[]>();
  for (const node of nodes) {
    const list = byId.get(node.nodeId);
    if (list === undefined) byId.set(node.nodeId, [node]);
    else list.push(node);
  }
  for (const list of byId.values()) list.sort((a, b) => a.iteration - b.iteration);
  const placed = new Set<string>();
  const rows: TreeRow[] = [];
  let next = 0;
  const visit = (element: XmlNode, level: number, key: string, isHandled: boolean): void => {
    if (element.kind === "text") return;
    const { tag, props, children } = element;
    const id = props["id"] ?? null;
    const task = tasks[next];
    const isTask = task !== undefined && id !== null && isOf(task.nodeId, id) && !placed.has(task.nodeId);
    if (isTask) {
      next += 1;
      placed.add(task.nodeId);
    }
    const own = isTask ? (byId.get(task.nodeId) ?? []) : [];
    const row: TreeRow = {
      key,
      level,
      tag,
      name: isTask ? task.nodeId : (id ?? props["name"] ?? null),
      nodes: own,
      isGroup: false,
      ...countOf(own),
      isGone: false,
      isLow: isTask && isLowMeta(props["meta"]),
      retries: isTask ? retriesOf(element, isHandled) : null,
    };
    // A task that has no row yet counts as one that is not done.
    if (isTask && own.length === 0) row.total = 1;
    const index = rows.push(row) - 1;
    children.forEach((child, place) => {
      visit(child, level + 1, `${key}/${place}`, isHandled || handlesFailures(tag));
    });
    for (const below of rows.slice(index + 1)) {
      if (below.level !== level + 1) continue;
      row.total += below.total;
      row.done += below.done;
      row.failed += below.failed;
    }
    row.isGroup = rows.length > index + 1;
  };
  if (xml !== null) visit(xml, 0, "0", false);
  for (const [nodeId, own] of byId) {
    if (placed.has(nodeId)) continue;
    rows.push({
      key: `gone ${nodeId}`,
      level: xml === null ? 0 : 1,
      tag: own[0]?.kind ?? "task",
      name: nodeId,
      nodes: own,
      isGroup: false,
      ...countOf(own),
      isGone: xml !== null,
      isLow: false,
      retries: null,
    });
  }
  return rows;
}

/** @param meta JSON, as a frame has props */
function isLowMeta(meta: string | undefined): boolean {
  if (meta === undefined) return false;
  try {
    const value: unknown = JSON.parse(meta);
    return isRecord(value) && value["importance"] === "low";
  } catch {
    // A long one is cut off.
    return false;
  }
}

/** Whether it may be hidden: what failed never is. */
export function isMinor({ isLow, failed }: TreeRow): boolean {
  return isLow && failed === 0;
}

/** An id in a subflow or a scope has the names around it before it. */
function isOf(nodeId: string, id: string): boolean {
  return nodeId === id || (nodeId.endsWith(id) && /[^\w]$/.test(nodeId.slice(0, -id.length)));
}

function countOf(nodes: readonly TreeNode[]) {
  return {
    total: nodes.length,
    done: nodes.filter(({ state }) => state === "finished" || state === "skipped").length,
    failed: nodes.filter(({ state }) => state === "failed").length,
  };
}

export const STATE_FILTERS = ["all", "failed", "running", "waiting"] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

interface VisibleOptions {
  filter: StateFilter;
  text: string;
  /** Keys of rows. */
  collapsed: ReadonlySet<string>;
  /** Of tasks that matter little; who looks for one by its name finds it all the same. */
  hidesMinor: boolean;
}

/** The lines that are shown: with a filter a flat list of tasks, else what no collapsed line hides. */
export function visibleRows(
  rows: readonly TreeRow[],
  { filter, text, collapsed, hidesMinor }: VisibleOptions,
): TreeRow[] {
  const wanted = text.trim().toLowerCase();
  if (filter !== "all" || wanted !== "") {
    return rows
      .filter(({ nodes, name }) => {
        if (nodes.length === 0) return false;
        const label = nodes.at(-1)?.label ?? "";
        return (
          nodes.some((node) => isLike(shownState(node), filter)) &&
          (wanted === "" || `${name} ${label}`.toLowerCase().includes(wanted))
        );
      })
      .map((row) => ({ ...row, level: 0, isGroup: false }));
  }
  const shown: TreeRow[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (row.level > hiddenBelow || (hidesMinor && isMinor(row))) continue;
    hiddenBelow = collapsed.has(row.key) ? row.level : Number.POSITIVE_INFINITY;
    shown.push(row);
  }
  return shown;
}

/** A task that has failed and is tried again waits for that. */
export function shownState({ state, failures, dueAtMs }: NodeRow): string {
  return state === "pending" && failures > 0 && dueAtMs !== null ? "waiting-retry" : state;
}

function isLike(state: string, filter: StateFilter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "failed":
      return state === "failed";
    case "running":
      return state === "in-progress";
    case "waiting":
      return lookOf(state).tone === "wait";
    default:
      return filter satisfies never;
  }
}
