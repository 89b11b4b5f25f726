import type { RenderedFrame } from "../model/graph.js";
import type { HostElement, HostRoot } from "../model/host-node.js";
import type { PlanNode } from "../model/plan.js";
import type { OutputRegistry, RenderRuntime } from "../model/render-runtime.js";
import type { TaskDescriptor } from "../model/task.js";
import { sameData } from "../util/same-data.js";
import type { Extraction } from "./element-rule.js";
import { knownFacts } from "./facts.js";
import { formerIdsOf, NO_FORMER_IDS } from "./former-ids.js";
import { frameError } from "./frame-error.js";
import { NewScopes } from "./inline-scopes.js";
import { readFlag } from "./props.js";
import { assignAncestorContext } from "./passes/assign-ancestor-context.js";
import { buildPlan } from "./passes/build-plan.js";
import { buildXml } from "./passes/build-xml.js";
import { collectIds, type Mounted } from "./passes/collect-ids.js";
import { describeTasks } from "./passes/describe-tasks.js";
import { refreshContent } from "./passes/refresh-content.js";
import { isContextual, refreshContextual } from "./passes/refresh-contextual.js";
import { hasReferencesInLoop } from "./tasks/references.js";

/** Reads frames off one host tree. */
export interface Extractor {
  /**
   * The frame the tree stands for. `needsRender` says that a component has
   * rendered with an assumption which the tree refutes (the iteration of a loop
   * without an `id`): render again and extract again before using the frame.
   *
   * @throws WORKFLOW_TREE_INVALID and other codes of trees that are not a workflow
   */
  extract(): { frame: RenderedFrame; needsRender: boolean };
}

export interface ExtractorOptions {
  /** Structure version of the frame that the first one follows. @default 0 */
  after?: number | undefined;
  registry: OutputRegistry;
  runtime: RenderRuntime;
}

/**
 * The passes, in order. Each of them skips what has not changed since the last
 * frame, so the cost of a frame follows the size of the change.
 *
 *   assignSurroundings  who is inside which loop, group, worktree; addresses
 *   collectIds          what is mounted; duplicate ids
 *   refreshContextual   functions of the context in props: `cache.by`, `autoApprove`
 *   describeTasks       element → TaskDescriptor
 *   refreshContent      new functions, rows, prompts and labels of mounted tasks
 *   buildPlan           what the scheduler compiles
 *   buildXml            what is stored and shown
 */
export function createExtractor(
  root: HostRoot,
  { registry, runtime, after = 0 }: ExtractorOptions,
): Extractor {
  const extraction: Extraction = {
    registry,
    runtime,
    nodeIds: new Set(),
    needsRender: false,
    formerIds: NO_FORMER_IDS,
    promptOf: (element) => root.promptOf(element),
  };
  let mounted: Mounted = { tasks: [], nodeIds: new Set(), aspects: {}, inlines: [] };
  /** Tasks with functions of the context: these answer anew in each frame. */
  let contextual: readonly HostElement[] = [];
  let frame: RenderedFrame | undefined;
  let readRevision = 0;

  function extract() {
    try {
      return read();
    } catch (error) {
      startAfresh();
      throw error;
    }
  }

  /** Half-read elements must not be taken for read ones. */
  function startAfresh(): void {
    forget(root.element);
    readRevision = 0;
  }

  function read() {
    extraction.needsRender = false;
    const top = workflowElement(root.element);
    if (readRevision === 0) extraction.formerIds = formerIdsOf(root.element, runtime.controlIds());
    const moved = root.element.revision !== readRevision;
    const changed = new Set(moved ? assignAncestorContext(root.element, extraction) : []);
    if (moved) {
      const scopes = new NewScopes(runtime);
      mounted = collectIds(root.element, scopes);
      if (!scopes.isEmpty) {
        scopes.announce();
        startAfresh();
        return { frame: frame as RenderedFrame, needsRender: true };
      }
      // A reference inside a loop may mean another task once ids have come or gone.
      const idsChanged = !sameIds(mounted.nodeIds, extraction.nodeIds);
      extraction.nodeIds = mounted.nodeIds;
      if (idsChanged) for (const element of mounted.tasks) if (refersInLoop(element)) changed.add(element);
      contextual = mounted.tasks.filter(isContextual);
    }
    for (const element of refreshContextual(contextual, extraction)) changed.add(element);
    let isAskedAnew = describeTasks(changed, extraction);
    const content = refreshContent(root.takeContentChanges(), changed, extraction);
    if (describeTasks(content.redefined, extraction)) isAskedAnew = true;
    if (moved) contextual = mounted.tasks.filter(isContextual);
    if (moved || changed.size > 0 || content.isReworded) {
      frame = nextFrame(frame, top, { mounted, extraction, after, isAskedAnew });
    }
    readRevision = root.element.revision;
    return { frame: frame as RenderedFrame, needsRender: extraction.needsRender };
  }

  return { extract };
}

function forget(element: HostElement): void {
  element.memo = undefined;
  for (const child of element.children) if (child.kind === "element") forget(child);
}

function refersInLoop(element: HostElement): boolean {
  const { task } = knownFacts(element);
  return task !== undefined && hasReferencesInLoop(task);
}

function taskOf(element: HostElement): TaskDescriptor {
  return knownFacts(element).task as TaskDescriptor;
}

function sameIds(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size !== b.size) return false;
  for (const id of a) if (!b.has(id)) return false;
  return true;
}

const EMPTY_PLAN: PlanNode = { kind: "sequence", children: [] };

/** The frame of this tree; the previous one when they do not differ. */
function nextFrame(
  previous: RenderedFrame | undefined,
  top: HostElement,
  about: {
    mounted: Mounted;
    extraction: Extraction;
    after: number;
    /** Not all of a question is in the XML. */
    isAskedAnew: boolean;
  },
): RenderedFrame {
  const { mounted, extraction, after, isAskedAnew } = about;
  const plan = buildPlan(top, extraction) ?? EMPTY_PLAN;
  const xml = buildXml(top);
  const tasks = orderedTasks(mounted.tasks, previous?.tasks);
  const workflowName = String(top.props["name"]);
  const cache = readFlag(top, "cache");
  const aspects =
    previous !== undefined && sameData(mounted.aspects, previous.aspects)
      ? previous.aspects
      : mounted.aspects;
  const inlines = sameData(mounted.inlines, previous?.inlines ?? []) ? previous?.inlines : mounted.inlines;
  const structureVersion = (previous?.structureVersion ?? after) + 1;
  const next = {
    xml,
    tasks,
    plan,
    workflowName,
    cache,
    aspects,
    structureVersion,
    ...(inlines !== undefined && { inlines }),
  };
  return previous !== undefined && !isAskedAnew && sameFrame(next, previous) ? previous : next;
}

function sameFrame(next: RenderedFrame, previous: RenderedFrame): boolean {
  for (const name in next) {
    if (name === "structureVersion") continue;
    if (next[name as keyof RenderedFrame] !== previous[name as keyof RenderedFrame]) return false;
  }
  return true;
}

/** Descriptors in document order, numbered; `previous` when they are the same ones. */
function orderedTasks(
  elements: readonly HostElement[],
  previous: TaskDescriptor[] | undefined,
): TaskDescriptor[] {
  let same = previous?.length === elements.length;
  const tasks = elements.map((element, ordinal) => {
    const task = taskOf(element);
    task.ordinal = ordinal;
    if (same && previous?.[ordinal] !== task) same = false;
    return task;
  });
  return same && previous !== undefined ? previous : tasks;
}

function workflowElement(root: HostElement): HostElement {
  let first: HostElement | undefined;
  let second: HostElement | undefined;
  for (const child of root.children) {
    if (child.kind === "text") continue;
    if (first === undefined) first = child;
    else second ??= child;
  }
  if (first === undefined) {
    throw frameError("WORKFLOW_TREE_INVALID", root, "is empty: the build function rendered no Workflow.");
  }
  if (second !== undefined) {
    throw frameError(
      "WORKFLOW_TREE_INVALID",
      second,
      "stands beside the Workflow; a build function renders one.",
    );
  }
  return first;
}
