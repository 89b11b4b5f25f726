import type { FrameTask } from "../model/graph.js";
import type { PlanNode, SagaPlan } from "../model/plan.js";
import type { TaskDescriptor, TaskKind } from "../model/task.js";
import type { XmlElement } from "../model/xml.js";
import { knownRule } from "./element-rules.js";
import { sequenceOf } from "./elements/arrangement.js";
import type { FrameSnapshot } from "./frame-snapshot.js";

function isTaskTag(tag: string): boolean {
  return knownRule(tag)?.kind === "task";
}

/** The scheduler keeps a state for it: what is skipped gives way to another one with its id. */
function hasState(tag: string): boolean {
  const rule = knownRule(tag);
  return rule?.kind === "group" && rule.hasState === true;
}

/**
 * The control structure of a stored frame: the order of its tasks, their dependencies and the blocks around them, as
 * the frame's own plan had it. Nothing is loaded or rendered for it. Limits, and whether a loop is over, are left out.
 */
export function planOfFrame({ xml, tasks }: FrameSnapshot): PlanNode {
  if (xml?.kind !== "element") return sequenceOf([]);
  const claimed = new Set<string>();
  claim(xml, claimed);
  const mounted = new Map(tasks.map((task) => [task.nodeId, task]));
  return planOf(xml, { mounted, claimed, isSkipped: false }) ?? sequenceOf([]);
}

interface Site {
  readonly mounted: ReadonlyMap<string, FrameTask>;
  /** Ids that have an element. */
  readonly claimed: Set<string>;
  /** An element around it has `skipIf`. */
  readonly isSkipped: boolean;
}

/** The ids of everything that is not skipped as a whole. */
function claim(element: XmlElement, claimed: Set<string>): void {
  const { id } = element.props;
  if (isTaskTag(element.tag)) {
    if (id !== undefined) claimed.add(id);
    return;
  }
  if (isSkipping(element)) return;
  if (id !== undefined && hasState(element.tag)) claimed.add(id);
  for (const child of elementsIn(element)) claim(child, claimed);
}

function planOf(element: XmlElement, around: Site): PlanNode | undefined {
  const { tag, props } = element;
  const { id = "" } = props;
  const isTask = isTaskTag(tag);
  const site = !isTask && isSkipping(element) ? { ...around, isSkipped: true } : around;
  if (site.isSkipped && (isTask || hasState(tag))) {
    if (site.claimed.has(id)) return undefined;
    site.claimed.add(id);
  }
  if (isTask) return planOfTask(element, site);
  switch (tag) {
    case "Parallel":
    case "MergeQueue": {
      const children = childPlans(element, site);
      return children.length === 0 ? undefined : { kind: "parallel", id, children };
    }
    case "Loop": {
      const body = sequenceOf(childPlans(element, site));
      return { ...LOOP, id, iteration: Number(props["iteration"] ?? 0), skip: site.isSkipped, body };
    }
    case "Saga":
      return { kind: "saga", id, onFailure: onFailureOf(props["onFailure"]), steps: stepsOf(element, site) };
    case "TryCatchFinally": {
      const [recover, final] = [
        planOfPart(element, "CatchPart", site),
        planOfPart(element, "FinallyPart", site),
      ];
      const catchErrors = textsOf(props["catchErrors"]);
      return {
        kind: "try",
        id,
        try: planOfPart(element, "TryPart", site) ?? sequenceOf([]),
        hasCatch: recover !== undefined,
        ...(recover !== undefined && { catch: recover }),
        ...(catchErrors !== undefined && { catchErrors }),
        ...(final !== undefined && { finally: final }),
      };
    }
    case "ContinueAsNew":
      return site.isSkipped ? undefined : { kind: "continue-as-new", state: undefined, loopIds: [] };
    default: {
      const children = childPlans(element, site);
      return children.length === 0 ? undefined : sequenceOf(children);
    }
  }
}

const LOOP = { kind: "loop", until: false, maxIterations: Infinity, onMaxReached: "return-last" } as const;

function planOfTask({ props }: XmlElement, { mounted }: Site): PlanNode | undefined {
  const stored = mounted.get(props["id"] ?? "");
  if (stored === undefined) return undefined;
  const { nodeId, iteration, kind, fingerprint, dependsOn } = stored;
  const task: TaskDescriptor = {
    ...UNSTORED,
    nodeId,
    iteration,
    kind: kind as TaskKind,
    fingerprint,
    ...(dependsOn !== undefined && { dependsOn: [...dependsOn] }),
    ...(props["async"] === "true" && { waitAsync: true }),
    ...(props["onDeny"] === "skip" && { approvalOnDeny: "skip" }),
  };
  return { kind: "task", task };
}

/** Members that only an attempt needs, and no frame stores. */
const UNSTORED: Omit<TaskDescriptor, "nodeId" | "iteration" | "kind" | "fingerprint"> = {
  ordinal: 0,
  outputTable: null,
  outputTableName: "",
  outputKey: "",
  needsApproval: false,
  skipIf: false,
  retries: 0,
  timeoutMs: null,
  heartbeatTimeoutMs: null,
  continueOnFail: false,
};

function stepsOf(saga: XmlElement, site: Site): SagaPlan["steps"] {
  return elementsIn(saga).map((step) => ({
    id: step.props["id"] ?? "",
    action: planOfPart(step, "SagaAction", site) ?? sequenceOf([]),
    compensation: planOfPart(step, "SagaCompensation", site) ?? sequenceOf([]),
  }));
}

/** Undefined where there is no such part. */
function planOfPart(element: XmlElement, tag: string, site: Site): PlanNode | undefined {
  const found = elementsIn(element).find((child) => child.tag === tag);
  return found === undefined ? undefined : (planOf(found, site) ?? sequenceOf([]));
}

function onFailureOf(text: string | undefined): SagaPlan["onFailure"] {
  return text === "fail" || text === "compensate-and-fail" ? text : "compensate";
}

/** A list of texts as the XML shows it; undefined for anything else. */
function textsOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((each) => typeof each === "string") : undefined;
  } catch {
    return undefined;
  }
}

function childPlans(element: XmlElement, site: Site): PlanNode[] {
  return elementsIn(element).flatMap((child) => planOf(child, site) ?? []);
}

function elementsIn({ children }: XmlElement): XmlElement[] {
  return children.filter((child) => child.kind === "element");
}

function isSkipping({ props }: XmlElement): boolean {
  return props["skipIf"] === "true";
}
