import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { Site } from "../element-rule.js";
import { knownFacts } from "../facts.js";
import { isSameSource } from "../fingerprint.js";
import { readText } from "../props.js";
import { applyContent, kindOfContent } from "./content.js";

/** Props in which twins differ; what they mean for a descriptor is read here. */
const OWN = new Set(["id", "label", "children"]);

/**
 * The descriptor of a task beside `model` that differs from it only in id, label
 * and what stands between its tags: a copy, made without reading and checking
 * every prop again. Lists of tasks are mostly twins. Undefined for any other task.
 */
export function describeTwin(site: Site, model: HostElement): TaskDescriptor | undefined {
  const { element, facts, around, extraction } = site;
  const known = knownFacts(model);
  const { task } = known;
  if (task === undefined || known.rule !== facts.rule || known.around !== around) return undefined;
  if (element.tag !== "Task" || model.parent !== element.parent) return undefined;
  // The question of a gate has the label, and `by` of a cache policy may answer anything.
  if (task.needsApproval || task.cachePolicy !== undefined || kindOfContent(element) !== task.kind)
    return undefined;
  if (!sameButOwn(model.props, element.props)) return undefined;
  const label = readText(element, "label");
  if ((label === undefined) !== (task.label === undefined)) return undefined;
  const twin: TaskDescriptor = { ...task, nodeId: facts.address, ordinal: 0 };
  if (label !== undefined) twin.label = label;
  applyContent(element, twin, extraction);
  // The fingerprint holds the function's source.
  return isSameSource(task.computeFn, twin.computeFn) ? twin : undefined;
}

function sameButOwn(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  for (const name in a) if (!OWN.has(name) && !Object.is(a[name], b[name])) return false;
  for (const name in b) if (!OWN.has(name) && !(name in a)) return false;
  return true;
}
