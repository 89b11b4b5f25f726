/** @jsxImportSource react */
import type { RunBudget } from "../../operations/index.js";
import { formatDuration } from "../../util/duration.js";
import { isMadeId } from "../parts/made-id.js";
import { shownShort } from "../parts/text.js";

export function budgetName({ id, unit, perTask }: RunBudget): string {
  const what = unit === "ms" ? "time" : "tokens";
  const name = isMadeId(id) ? "Budget" : `Budget ${shownShort(id, 40)}`;
  return `${name}, ${what}${perTask ? " of one task" : ""}`;
}

/** How much of a budget is spent: a bar, and the same in figures. */
export function BudgetBar({ budget: { unit, spent, limit, onExceeded } }: { budget: RunBudget }) {
  const text = (amount: number) => (unit === "ms" ? formatDuration(amount) : amount.toLocaleString());
  const share = Math.min(100, (100 * spent) / limit);
  const tone = spent >= limit ? "bad" : share >= 80 ? "wait" : "good";
  return (
    <span className="budget">
      <span className="progress" aria-hidden="true">
        <span className={`part ${tone}`} style={{ flexBasis: `${share}%` }} />
      </span>{" "}
      <span className="number">
        {text(spent)} of {text(limit)}
      </span>
      {spent >= limit && <span className="bad"> used up: {shownShort(onExceeded, 40)}</span>}
    </span>
  );
}
