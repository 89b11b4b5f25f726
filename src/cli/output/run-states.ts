import type { NodeState } from "../../model/node.js";
import { isTerminal, RUN_STATUSES, type RunState, type RunStatus } from "../../model/run.js";
import type { Colors } from "./styles.js";

type Paint = (text: string) => string;

/** A sign and a colour per state: the sign alone says enough. */
export function nodeSign(state: NodeState, colors: Colors): string {
  return NODE_SIGNS[state](colors);
}

const NODE_SIGNS: Readonly<Record<NodeState, (colors: Colors) => string>> = {
  pending: ({ dim }) => dim("·"),
  "in-progress": ({ cyan }) => cyan("→"),
  "waiting-approval": ({ yellow }) => yellow("…"),
  "waiting-event": ({ yellow }) => yellow("…"),
  "waiting-timer": ({ yellow }) => yellow("…"),
  "waiting-quota": ({ yellow }) => yellow("…"),
  finished: ({ green }) => green("✓"),
  failed: ({ red }) => red("✗"),
  cancelled: ({ dim }) => dim("⊘"),
  skipped: ({ dim }) => dim("-"),
};

/** What only a look at its owner tells of a run that is stored as running. */
const UNDRIVEN = ["queued", "stale", "orphaned"] as const;

/** States as runs are shown, and chosen by `--status`: the stored ones, and those of runs that no process drives. */
export const SHOWN_STATES = [...RUN_STATUSES, ...UNDRIVEN] as const;

export type ShownState = (typeof SHOWN_STATES)[number];

/** Those of runs that have not ended. */
export const OPEN_STATES = SHOWN_STATES.filter((state) => !isTerminal(state as RunStatus));

/** A run is `running` only while its owner proves it. */
export function shownState({ status, runState }: { status: RunStatus; runState: RunState }): ShownState {
  return isUndriven(runState) ? runState : status;
}

/** The stored statuses of runs that are shown so. */
export function storedStatuses(states: readonly ShownState[]): RunStatus[] {
  return [...new Set(states.map((state) => (isUndriven(state) ? "running" : state)))];
}

function isUndriven(state: ShownState | RunState): state is (typeof UNDRIVEN)[number] {
  return (UNDRIVEN as readonly string[]).includes(state);
}

export function paintRunState(state: ShownState, colors: Colors): string {
  return paintOf(state, colors)(state);
}

function paintOf(state: ShownState, colors: Colors): Paint {
  switch (state) {
    case "finished":
    case "continued":
      return colors.green;
    case "running":
      return colors.cyan;
    case "failed":
    case "orphaned":
    case "stale":
      return colors.red;
    case "cancelled":
      return colors.dim;
    default:
      return colors.yellow;
  }
}
