/**
 * The composites that random workflows are made of. Their agents and checks are functions: commands are processes,
 * whose time is not the simulation's.
 */
export const COMPOSITES = [
  "CheckSuite",
  "ClassifyAndRoute",
  "ContentPipeline",
  "Debate",
  "DecisionTable",
  "DriftDetector",
  "EscalationChain",
  "GatherAndSynthesize",
  "Kanban",
  "Optimizer",
  "Panel",
  "Poller",
  "ReviewLoop",
  "Runbook",
  "ScanFixVerify",
  "Sidecar",
  "SuperService",
  "Supervisor",
] as const;

export type CompositeName = (typeof COMPOSITES)[number];

/** A composite as data. What its agents answer follows from this, the node and the iteration. */
export interface CompositePlan {
  kind: "composite";
  of: CompositeName;
  id: string;
  /** Members, items or steps. */
  size: number;
  /** The round that is good enough, from 0. */
  goodAt: number;
  /** Most rounds. */
  max: number;
  onMax: "fail" | "return-last";
  /** Which of its own ways it goes. */
  way: 0 | 1 | 2;
  /** Attempts of each agent that fail before one succeeds. */
  fails: number;
  skip: boolean;
}

/** The nodes that it may mount, in their order. */
export type Layout = string | { readonly [kind in "inTurn" | "together"]?: readonly Layout[] } | LoopLayout;

interface LoopLayout {
  readonly loop: string;
  readonly inTurn: readonly Layout[];
}

export function layoutOf(plan: CompositePlan): Layout {
  const { id, size } = plan;
  const each = <T>(part: (n: number) => T): T[] => Array.from({ length: size }, (_, n) => part(n));
  switch (plan.of) {
    case "CheckSuite":
      return { inTurn: [{ together: each((n) => `${id}-c${n}`) }, `${id}-verdict`] };
    case "ClassifyAndRoute":
      return {
        inTurn: [`${id}-classify`, `${id}-assign`, { together: each((n) => `${id}-route-${n}`) }],
      };
    case "ContentPipeline":
      return { inTurn: each((n) => `${id}-s${n}`) };
    case "Debate": {
      const round: Layout = { together: [`${id}-proposer`, `${id}-opponent`] };
      return { inTurn: [{ loop: `${id}-loop`, inTurn: [round] }, `${id}-judge`] };
    }
    case "DecisionTable":
      return { together: [...each((n) => `${id}-rule${n}`), `${id}-none`] };
    case "DriftDetector": {
      const look = [`${id}-delay`, `${id}-capture`, `${id}-compare`];
      return { inTurn: [{ loop: `${id}-poll`, inTurn: look }, `${id}-alarm`] };
    }
    case "EscalationChain": {
      const levels = each((n) => ({ inTurn: [`${id}-level-${n}`, `${id}-check-${n}`] }));
      return { inTurn: [...levels, `${id}-human-fallback`] };
    }
    case "GatherAndSynthesize": {
      const sources = { together: each((n) => `${id}-gather-s${n}`) };
      return { inTurn: [sources, `${id}-gathered`, `${id}-synthesize`] };
    }
    case "Kanban": {
      const tickets = each((n) => ({ inTurn: [`${id}-todo-t${n}`, `${id}-check-t${n}`] }));
      return { inTurn: [{ loop: `${id}-loop`, inTurn: [{ together: tickets }] }, `${id}-complete`] };
    }
    case "Optimizer":
      return { loop: id, inTurn: [`${id}-generate`, `${id}-evaluate`] };
    case "Panel": {
      const panelists = { together: each((n) => `${id}-panelist-${n}`) };
      return { inTurn: [panelists, `${id}-tally`, `${id}-moderator`] };
    }
    case "Poller":
      return { loop: `${id}-loop`, inTurn: [`${id}-delay`, `${id}-check`] };
    case "ReviewLoop": {
      const reviews = size === 1 ? [`${id}-review`] : each((n) => `${id}-review-${n}`);
      return { loop: id, inTurn: [`${id}-produce`, { together: reviews }] };
    }
    case "Runbook":
      return {
        inTurn: each((n) => (n === 1 ? { inTurn: [`${id}-s1-approval`, `${id}-s1`] } : `${id}-s${n}`)),
      };
    case "ScanFixVerify": {
      const round = [`${id}-scan`, { together: each((n) => `${id}-fix-${n}`) }, `${id}-verify`];
      return { inTurn: [{ loop: `${id}-loop`, inTurn: round }, `${id}-report`] };
    }
    case "Sidecar":
      return { inTurn: [{ together: [id, `${id}-sidecar`] }, `${id}-delta`] };
    case "SuperService":
      return { inTurn: [`${id}-read`, `${id}-propose`, `${id}-apply`, `${id}-report`] };
    case "Supervisor": {
      const round = [{ together: each((n) => `${id}-worker-w${n}`) }, `${id}-review`];
      return { inTurn: [`${id}-plan`, { loop: `${id}-loop`, inTurn: round }, `${id}-final`] };
    }
    default:
      return plan.of satisfies never;
  }
}

/** Whether a failure may leave it. May say yes where it never happens. */
export function compositeMayFail({ of, onMax, goodAt, max, fails, size, way }: CompositePlan): boolean {
  switch (of) {
    case "Optimizer":
    case "Poller":
    case "ReviewLoop":
      return onMax === "fail" && goodAt >= max;
    // Members that have failed twice are given up; without any of them there is no result.
    case "GatherAndSynthesize":
    case "Panel":
      return fails > 1;
    case "CheckSuite":
    case "ClassifyAndRoute":
    case "ContentPipeline":
    case "Debate":
    case "DecisionTable":
    case "DriftDetector":
    case "EscalationChain":
    case "Kanban":
    case "ScanFixVerify":
    case "Sidecar":
    case "SuperService":
    case "Supervisor":
      return false;
    case "Runbook":
      return size > 1 && onMax === "fail" && answerOf({ way }) === "deny";
    default:
      return of satisfies never;
  }
}

/** The nodes at which a person is asked, and what is answered. */
export function questionsOf({ of, id, way }: CompositePlan): Readonly<Record<string, "approve" | "deny">> {
  if (of === "Runbook") return { [`${id}-s1-approval`]: answerOf({ way }) };
  return of === "EscalationChain" ? { [`${id}-human-fallback`]: "approve" } : {};
}

function answerOf({ way }: Pick<CompositePlan, "way">): "approve" | "deny" {
  return way === 2 ? "deny" : "approve";
}

/** Ids of everything that it may mount. */
export function nodesOf(layout: Layout): string[] {
  if (typeof layout === "string") return [layout];
  const inner = "loop" in layout ? layout.inTurn : [...(layout.inTurn ?? []), ...(layout.together ?? [])];
  return inner.flatMap(nodesOf);
}
