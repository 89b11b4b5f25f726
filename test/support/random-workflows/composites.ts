/** The composites that random workflows are made of. */
export const COMPOSITES = ["Poller", "ReviewLoop"] as const;

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
  const each = (part: (n: number) => string) => Array.from({ length: size }, (_, n) => part(n));
  switch (plan.of) {
    case "Poller":
      return { loop: `${id}-loop`, inTurn: [`${id}-delay`, `${id}-check`] };
    case "ReviewLoop": {
      const reviews = size === 1 ? [`${id}-review`] : each((n) => `${id}-review-${n}`);
      return { loop: id, inTurn: [`${id}-produce`, { together: reviews }] };
    }
    default:
      return plan.of satisfies never;
  }
}

/** Whether a failure may leave it. May say yes where it never happens. */
export function compositeMayFail({ of, onMax, goodAt, max }: CompositePlan): boolean {
  switch (of) {
    case "Poller":
    case "ReviewLoop":
      return onMax === "fail" && goodAt >= max;
    default:
      return of satisfies never;
  }
}

/** Ids of everything that it may mount. */
export function nodesOf(layout: Layout): string[] {
  if (typeof layout === "string") return [layout];
  const inner = "loop" in layout ? layout.inTurn : [...(layout.inTurn ?? []), ...(layout.together ?? [])];
  return inner.flatMap(nodesOf);
}
