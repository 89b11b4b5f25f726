import type { HostElement } from "../../model/host-node.js";
import type { TaskDescriptor } from "../../model/task.js";
import type { Extraction, Facts } from "../element-rule.js";
import { factsOf, markXmlStale } from "../facts.js";
import { isSameSource } from "../fingerprint.js";
import { readText } from "../props.js";
import { applyContent } from "../tasks/content.js";
import { checkContent } from "./assign-ancestor-context.js";

/** The content changes of a frame. */
export interface ContentChanges {
  /** Tasks that are to be described anew: their label is also a question, or a part of one, or their function is other code. */
  readonly redefined: readonly HostElement[];
  /** Something is worded or defined otherwise now, so the frame is another. */
  readonly isReworded: boolean;
}

/**
 * Brings functions, rows, prompts and labels of mounted tasks up to date, except
 * of those that are described anyway.
 */
export function refreshContent(
  changed: Iterable<HostElement>,
  described: ReadonlySet<HostElement>,
  extraction: Extraction,
): ContentChanges {
  const redefined: HostElement[] = [];
  let isReworded = false;
  for (const element of changed) {
    const facts = factsOf(element);
    // Unknown = unmounted since the change, in a frame that was refused.
    if (facts === undefined || described.has(element)) continue;
    const { task } = facts;
    const { label } = element.props;
    if (task === undefined) {
      checkContent(element);
      if (label === undefined) continue;
      readText(element, "label");
      markXmlStale(element);
      isReworded = true;
      continue;
    }
    const isRelabelled = typeof label === "string" && label !== task.label;
    if (isRelabelled && !isOnlyShown(element, task)) {
      markXmlStale(element);
      redefined.push(element);
      isReworded = true;
      continue;
    }
    const { prompt, computeFn } = task;
    applyContent(element, task, extraction);
    const isOtherCode = !isSameSource(computeFn, task.computeFn);
    if (isOtherCode) redefined.push(element);
    if (task.prompt !== prompt) markXmlStale(element);
    if (isRelabelled) relabel(element, facts, task);
    isReworded ||= isRelabelled || isOtherCode || task.prompt !== prompt;
  }
  return { redefined, isReworded };
}

/** This label asks no person. */
function isOnlyShown({ tag }: HostElement, task: TaskDescriptor): boolean {
  return tag === "Task" && !task.needsApproval && task.label !== undefined;
}

/** A tree may have other labels in every frame: its XML is that of before but for them. */
function relabel(element: HostElement, facts: Facts, task: TaskDescriptor): void {
  const label = readText(element, "label") as string;
  task.label = label;
  const { xml, xmlStale } = facts;
  if (xml === undefined || xmlStale) return markXmlStale(element);
  facts.xml = { ...xml, props: { ...xml.props, label } };
  if (element.parent !== null) markXmlStale(element.parent);
}
