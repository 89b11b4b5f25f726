import type { NodeState } from "../../model/node.js";
import type { ShownState } from "../../operations/index.js";
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
