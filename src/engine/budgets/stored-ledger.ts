import type { AttemptRow } from "../../model/node.js";
import type { UsageRow } from "../../store/index.js";
import { BudgetLedger } from "./budget-ledger.js";

/** What a run has spent by its stored rows. */
export function storedLedger(rows: {
  attempts: readonly AttemptRow[];
  usage: readonly UsageRow[];
}): BudgetLedger {
  const budgets = new BudgetLedger();
  for (const attempt of rows.attempts) {
    const { startedAtMs, finishedAtMs, meta } = attempt;
    budgets.addAttempt(attempt, meta?.aspectIds);
    if (finishedAtMs !== null) budgets.addDuration(attempt, finishedAtMs - startedAtMs);
    if (meta?.childTokens !== undefined) budgets.setChildTokens(attempt, meta.childTokens);
  }
  for (const row of rows.usage) budgets.addUsage(row);
  return budgets;
}
