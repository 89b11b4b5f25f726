import { type TaskPlace, writtenId } from "../../model/address.js";
import { isWholeText } from "../../graph/passes/build-xml.js";
import { schemaInJson, type Store } from "../../store/index.js";
import type { NodeState } from "../../model/node.js";
import type { XmlElement, XmlNode } from "../../model/xml.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { requireRun } from "../request/require-run.js";
import { type OperationTarget, storeOf } from "../request/target.js";
import { newestFrame } from "./nodes-in-order.js";
import { type TokenTotals, tokenTotals } from "./token-totals.js";

/** Which task of a run. */
export interface TaskRequest extends TaskPlace {
  runId: string;
}

/** A task that another one waits for. */
export interface TaskDependency extends TaskPlace {
  /** Shown instead of the id; null without. */
  label: string | null;
  /** Null where it has no row yet. */
  state: NodeState | null;
}

/** What the newest frame says of a task, and what it has used. */
export interface TaskInspection extends TaskPlace {
  /** Whether the newest frame has it: a task that has left the tree has neither settings nor dependencies. */
  isMounted: boolean;
  /** Its props as the author wrote them: time-outs, retries, cache; what is not set has its default. */
  settings: Record<string, string>;
  /** Tasks that it names: `deps`, `needs`, `dependsOn` and `fork`. */
  dependsOn: TaskDependency[];
  /** How many more there are than are listed. */
  moreDependencies: number;
  /** Of all its attempts, and of the scorers of its rows. */
  usage: TokenTotals;
  /** The prompt of an agent as the tree has it; null where a function makes it, or it is too long for a frame. */
  prompt: string | null;
  /** JSON Schema of the answer that it waits for, or of its row; null where neither is known: only functions or the workflow's code do. */
  answerSchema: unknown;
}

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.required(rules.wholeNumber),
} satisfies rules.OptionRules<TaskRequest>;

/** A page shows no more. */
const MOST_DEPENDENCIES = 200;

/** Reads how a task stands in the newest frame. @throws RUN_NOT_FOUND */
export async function inspectTask(target: OperationTarget, request: TaskRequest): Promise<TaskInspection> {
  const { runId, nodeId, iteration } = checkOptions("inspectTask", request, RULES);
  const store = await storeOf(target);
  await requireRun(store, runId);
  const { tasks, xml } = await newestFrame(store, runId);
  const task = tasks.find((one) => one.nodeId === nodeId && one.iteration === iteration);
  const named = task?.dependsOn ?? [];
  const dependsOn: TaskDependency[] = [];
  for (const id of named.slice(0, MOST_DEPENDENCIES)) {
    // Of a loop the round that the tree has now.
    const mounted = tasks.find((one) => one.nodeId === id);
    const node = await store.getNode(runId, id, mounted?.iteration);
    dependsOn.push({
      nodeId: id,
      iteration: node?.iteration ?? mounted?.iteration ?? 0,
      label: node?.label ?? null,
      state: node?.state ?? null,
    });
  }
  const element = task === undefined ? undefined : elementOf(xml, nodeId);
  return {
    nodeId,
    iteration,
    isMounted: task !== undefined,
    settings: element === undefined ? {} : settingsOf(element),
    dependsOn,
    moreDependencies: Math.max(0, named.length - MOST_DEPENDENCIES),
    usage: tokenTotals(await store.listUsage(runId, { nodeId, iteration })),
    prompt: task?.kind === "agent" ? promptOf(element) : null,
    answerSchema:
      (await store.getAnswerSchema(runId, nodeId, iteration)) ??
      (await rowSchema(store, { runId, nodeId, iteration })) ??
      null,
  };
}

/** Null for one that a function makes. */
function promptOf(element: XmlElement | undefined): string | null {
  const [first] = element?.children ?? [];
  return first?.kind === "text" && isWholeText(first.text) ? first.text : null;
}

/** Undefined where this process does not know the workflow's schemas, or the task has no row. */
async function rowSchema(store: Store, { runId, nodeId, iteration }: TaskRequest): Promise<unknown> {
  const outputKey = (await store.getNode(runId, nodeId, iteration))?.outputKey ?? "";
  const schema = outputKey === "" ? undefined : await store.schemaFor(runId, outputKey);
  return schema && schemaInJson(schema);
}

/** The element that does the work of a node, by its address or by the id that its author wrote. */
export function elementOf(xml: XmlNode | null, nodeId: string): XmlElement | undefined {
  if (xml === null || xml.kind === "text") return undefined;
  const { id } = xml.props;
  if (id !== undefined && (id === nodeId || id === writtenId(nodeId)) && isWork(xml)) return xml;
  for (const child of xml.children) {
    const found = elementOf(child, nodeId);
    if (found !== undefined) return found;
  }
  return undefined;
}

const GROUPS = new Set(["Workflow", "Sequence", "Parallel", "MergeQueue", "Loop", "Aspects", "Worktree"]);

function isWork({ tag }: XmlElement): boolean {
  return !GROUPS.has(tag);
}

/** Shown elsewhere, or of the tree and not of the task. */
const NOT_SETTINGS = new Set(["id", "label", "output", "deps", "needs", "dependsOn"]);

function settingsOf({ props }: XmlElement): Record<string, string> {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !NOT_SETTINGS.has(name)));
}
