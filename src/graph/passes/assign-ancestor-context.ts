import { contentKind } from "../../model/content-kind.js";
import { writtenTag } from "../../model/element-name.js";
import { unknownElementProp } from "../../model/element-props.js";
import type { HostElement } from "../../model/host-node.js";
import { shorten } from "../../util/bounded-text.js";
import type { Extraction, Facts, GroupRule } from "../element-rule.js";
import { ruleOf } from "../element-rules.js";
import { factsOf, knownFacts, newFacts } from "../facts.js";
import { frameError } from "../frame-error.js";
import { readTaskId } from "../props.js";
import {
  type AncestorContext,
  keepAncestorContext,
  NOTHING_AROUND,
  taskAddress,
} from "../ancestor-context.js";

/**
 * From the root down: tells every element that changed, or whose
 * ancestor context changed, what is around it, and gives it its address. Everything
 * else is skipped together with what is below it.
 *
 * @returns the tasks among the visited elements: the ones to describe anew.
 */
export function assignAncestorContext(root: HostElement, extraction: Extraction): HostElement[] {
  const tasks: HostElement[] = [];
  for (const child of root.children) {
    if (child.kind === "text") throw strayText(root, child.text);
    enter(child, NOTHING_AROUND, { extraction, tasks });
  }
  return tasks;
}

interface Walk {
  readonly extraction: Extraction;
  readonly tasks: HostElement[];
}

function enter(element: HostElement, around: AncestorContext, walk: Walk): void {
  const known = factsOf(element);
  if (known !== undefined && known.revision === element.revision && known.around === around) return;
  const facts = known ?? newFacts(ruleOf(element), around);
  // Claimed only at the end: an element whose check throws is checked again next time.
  facts.revision = -1;
  facts.around = around;
  facts.planStale = true;
  facts.xmlStale = true;
  element.memo = facts;
  checkPlace(element, facts);
  const problem = unknownElementProp(element.tag, element.props);
  if (problem !== undefined) throw frameError("INVALID_INPUT", element, `has ${problem}`);
  if (facts.rule.kind === "task") {
    const id = readTaskId(element);
    facts.address = element.tag === "SubflowResult" ? addressOfSubflow(element) : taskAddress(id, around);
    walk.tasks.push(element);
  } else {
    facts.inner = keepAncestorContext(
      facts.rule.enter({ element, around, facts, extraction: walk.extraction }),
      facts.inner,
    );
    enterChildren(element, facts, facts.rule, walk);
  }
  facts.revision = element.revision;
}

/** The result is the node of the subflow itself, in the scope around it. */
function addressOfSubflow(result: HostElement): string {
  return knownFacts(result.parent as HostElement).address;
}

function enterChildren(element: HostElement, facts: Facts, rule: GroupRule, walk: Walk): void {
  checkContent(element);
  for (const child of element.children) {
    if (child.kind === "text") continue;
    if (rule.children !== undefined && !rule.children.some((tag) => tag === child.tag)) {
      throw frameError(
        "WORKFLOW_TREE_INVALID",
        child,
        `stands directly inside ${writtenTag(element.tag)}, which takes only ${rule.children.filter((tag) => writtenTag(tag) === tag).join(", ")}.`,
      );
    }
    enter(child, facts.inner, walk);
  }
}

/**
 * White space between elements is layout. `{rows.length && <Task …>}` leaves a 0, which is not.
 *
 * @throws WORKFLOW_TREE_INVALID for text or a value between the tags of a structural element
 */
export function checkContent(element: HostElement): void {
  const { children } = element.props;
  const content = contentKind(children);
  if (content === "function" || content === "value") {
    const what = content === "function" ? "a function" : "an object";
    throw frameError("WORKFLOW_TREE_INVALID", element, `has ${what} between its tags; only tasks take one.`);
  }
  const texts = content === "text" ? [children].flat(Number.POSITIVE_INFINITY).map(textOf) : [];
  for (const child of element.children) if (child.kind === "text") texts.push(child.text);
  const stray = texts.find((text) => text.trim() !== "");
  if (stray !== undefined) throw strayText(element, stray);
}

function textOf(child: unknown): string {
  return typeof child === "string" || typeof child === "number" || typeof child === "bigint"
    ? String(child)
    : "";
}

function checkPlace(element: HostElement, { rule }: Facts): void {
  const parent = element.parent as HostElement;
  if (rule.parents !== undefined) {
    if (rule.parents.some((tag) => tag === parent.tag)) return;
    throw frameError("WORKFLOW_TREE_INVALID", element, `stands inside ${placeName(parent)}.`);
  }
  if (parent.tag === "#root")
    throw frameError("WORKFLOW_TREE_INVALID", element, "stands outside a Workflow.");
}

function placeName(parent: HostElement): string {
  return parent.tag === "#root" ? "no other element" : parent.tag;
}

function strayText(parent: HostElement, text: string) {
  const shown = JSON.stringify(shorten(text.trim(), 60));
  return frameError(
    "WORKFLOW_TREE_INVALID",
    parent,
    `has the text ${shown} between its tags, outside a task.`,
  );
}
