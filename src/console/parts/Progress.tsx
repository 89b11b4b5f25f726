/** @jsxImportSource react */
import type { NodeState } from "../../model/node.js";
import { lookOf, type Tone } from "./State.js";

const ORDER: readonly Tone[] = ["good", "bad", "busy", "wait", "idle"];

/** How many tasks are in which state, as a bar; the numbers stand beside it. */
export function Progress({ counts }: { counts: Partial<Record<NodeState, number>> }) {
  const sums = new Map<Tone, number>();
  for (const [state, count] of Object.entries(counts)) {
    const { tone } = lookOf(state);
    sums.set(tone, (sums.get(tone) ?? 0) + count);
  }
  return (
    <span className="progress" aria-hidden="true">
      {ORDER.map((tone) => {
        const count = sums.get(tone) ?? 0;
        return count === 0 ? null : (
          <span key={tone} className={`part ${tone}`} style={{ flexGrow: count }} />
        );
      })}
    </span>
  );
}
