import { storedLedger } from "../../engine/index.js";
import type { XmlNode } from "../../model/xml.js";
import type { Store, UsageRow } from "../../store/index.js";
import { isRecord } from "../../util/is-record.js";

/** A limit of an Aspects element of the newest frame, and how much of it is spent. */
export interface RunBudget {
  /** Id of the Aspects element. */
  id: string;
  /** `tokens`, or milliseconds that attempts have taken; `perTask`: of the task that has spent most. */
  unit: "tokens" | "ms";
  perTask: boolean;
  spent: number;
  limit: number;
  /** What happens, or has happened, beyond the limit. */
  onExceeded: string;
}

/** What the run has spent of the budgets around its tasks, in the order of the tree. */
export async function runBudgets(
  store: Store,
  about: { runId: string; xml: XmlNode | null; usage: readonly UsageRow[] },
): Promise<RunBudget[]> {
  const limits = limitsIn(about.xml);
  if (limits.length === 0) return [];
  const ledger = storedLedger({ attempts: await store.listAttempts(about.runId), usage: about.usage });
  return limits.map((limit) => {
    const { tokens, scorerTokens, latencyMs, mostTokens } = ledger.inside(limit.id);
    const total = limit.unit === "ms" ? latencyMs : tokens + scorerTokens;
    return { ...limit, spent: limit.perTask ? mostTokens : total };
  });
}

type Limit = Omit<RunBudget, "spent">;

function limitsIn(xml: XmlNode | null): Limit[] {
  if (xml === null || xml.kind === "text") return [];
  const own = xml.tag === "Aspects" ? limitsOf(xml.props) : [];
  return [...own, ...xml.children.flatMap(limitsIn)];
}

function limitsOf({ id, tokenBudget, latencySlo }: Readonly<Record<string, string>>): Limit[] {
  if (id === undefined) return [];
  const { max, perTask, onExceeded = "fail" } = members(tokenBudget);
  const slo = members(latencySlo);
  const limits: Limit[] = [];
  const add = (unit: Limit["unit"], isPerTask: boolean, limit: unknown, policy: unknown) => {
    if (typeof limit === "number") {
      limits.push({ id, unit, perTask: isPerTask, limit, onExceeded: String(policy) });
    }
  };
  add("tokens", false, max, onExceeded);
  add("tokens", true, perTask, onExceeded);
  add("ms", false, slo["maxMs"], slo["onExceeded"] ?? "fail");
  return limits;
}

/** A prop as the frame shows it. */
function members(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
