import { ServiceError } from "../errors/service-error.js";
import type { FrameTask } from "../model/graph.js";
import type { XmlNode } from "../model/xml.js";
import { isRecord } from "../util/is-record.js";

/** A frame as it is stored. */
export interface FrameSnapshot {
  xml: XmlNode | null;
  tasks: FrameTask[];
}

/** Elements inside one another: who draws a tree goes down into it. */
const DEEPEST = 2_000;

/**
 * The snapshot, if it is one: a foreign program may have written the row.
 * @throws STORAGE_ERROR
 */
export function checkedSnapshot(value: FrameSnapshot): FrameSnapshot {
  const { xml, tasks } = value as { xml: unknown; tasks: unknown };
  if (xml !== null && !isNode(xml, 0)) throw damaged("the tree");
  if (!Array.isArray(tasks) || !tasks.every(isTask)) throw damaged("the list of tasks");
  return value;
}

function isNode(node: unknown, level: number): boolean {
  if (!isRecord(node) || level > DEEPEST) return false;
  if (node["kind"] === "text") return typeof node["text"] === "string";
  const { kind, tag, props, children } = node;
  if (kind !== "element" || typeof tag !== "string" || !isRecord(props) || !Array.isArray(children))
    return false;
  for (const name in props) if (typeof props[name] !== "string") return false;
  for (const child of children) if (!isNode(child, level + 1)) return false;
  return true;
}

function isTask(task: unknown): boolean {
  if (!isRecord(task)) return false;
  const { nodeId, iteration, kind, fingerprint, dependsOn = [], caps = [] } = task;
  return (
    typeof nodeId === "string" &&
    Number.isSafeInteger(iteration) &&
    typeof kind === "string" &&
    typeof fingerprint === "string" &&
    Array.isArray(dependsOn) &&
    dependsOn.every((id) => typeof id === "string") &&
    Array.isArray(caps) &&
    caps.every((cap) => isRecord(cap) && typeof cap["groupId"] === "string" && Number.isFinite(cap["limit"]))
  );
}

function damaged(what: string): ServiceError {
  return new ServiceError("STORAGE_ERROR", `${what} of a stored frame is damaged.`);
}
