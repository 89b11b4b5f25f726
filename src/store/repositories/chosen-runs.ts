import { OPEN_STATUSES, type RunDecider, type RunStatus, type RunWait } from "../../model/run.js";
import type { RunTimeFilter } from "../filters.js";
import type { SqlValue } from "../sql-port.js";
import { annotatedWith } from "./annotated-with.js";
import { IS_UNANSWERED } from "./approvals.js";
import type { InputTableSql } from "./inputs.js";
import { anywhere, type Condition, contains, isOneOf } from "./rows.js";

/** What conditions on runs need to know of their database. */
export interface RunSources {
  /** Where inputs may be; looked at for a `text` only. */
  readonly inputs: readonly InputTableSql[];
  /** The member of a column's JSON, as text. */
  jsonMember(column: string, name: string): string;
}

const literals = (statuses: readonly RunStatus[]) => statuses.map((status) => `'${status}'`).join(", ");

/** A failed task is in the summary of a run that has finished; of others the rows of its tasks say so. */
const WITH_FAILURES = `(r.status = 'failed' OR (r.status = 'finished' AND r.summary_json LIKE '%"failedChildKeys"%')
  OR (r.status NOT IN ('finished', 'failed') AND EXISTS
    (SELECT 1 FROM _service_nodes n WHERE n.run_no = r.run_no AND n.state = 'failed')))`;

/** A run is in one of these states when all of it waits; a task is while others are at work. */
function waitsFor(waits: readonly RunWait[]): Condition {
  const states = waits.map((wait) => `waiting-${wait}`);
  const inOne = (column: string) => isOneOf(column, states.length);
  return {
    sql: `r.status IN (${literals(OPEN_STATUSES)}) AND (${inOne("r.status")} OR EXISTS
      (SELECT 1 FROM _service_nodes n WHERE n.run_no = r.run_no AND ${inOne("n.state")}))`,
    params: [...states, ...states],
  };
}

/**
 * The list is kept as JSON, in which a member's own text stands nowhere but as a member: quotes in others are escaped. `replace`
 * tells letters apart, which `LIKE` does not everywhere.
 */
function namesOneOf(column: string, members: readonly string[]): Condition {
  const one = `replace(${column}, ?, '') <> ${column}`;
  return {
    sql: [`${column} IS NULL`, `${column} = '[]'`, ...members.map(() => one)].join(" OR "),
    params: members.map((member) => JSON.stringify(member)),
  };
}

/** As `whyNotDecide` has it, for each open request of a run. */
function decidableBy({ decidedBy, scopes }: RunDecider): Condition {
  const users = namesOneOf("a.allowed_users_json", decidedBy === undefined ? [] : [decidedBy]);
  const granted = scopes === "all" ? undefined : namesOneOf("a.allowed_scopes_json", scopes);
  return {
    sql: `EXISTS (SELECT 1 FROM _service_approvals a WHERE a.run_no = r.run_no AND a.status = 'requested'
      AND ${IS_UNANSWERED} AND (${users.sql})${granted === undefined ? "" : ` AND (${granted.sql})`})`,
    params: [...users.params, ...(granted?.params ?? [])],
  };
}

/** In the id, or in the input, whichever table has that. */
function hasText(text: string, inputs: readonly InputTableSql[]): Condition {
  const found = inputs.map((table) => table.has("r.run_id", text));
  return {
    sql: `(${[contains("r.run_id"), ...found.map(({ sql }) => sql)].join(" OR ")})`,
    params: [anywhere(text), ...found.flatMap(({ params }) => params)],
  };
}

/** The conditions on runs `r` that lists and counts of them have in common. */
export function chosenRuns(
  filter: RunTimeFilter,
  { inputs, jsonMember }: RunSources,
): { conditions: string[]; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const where = (sql: string, ...values: readonly SqlValue[]) => {
    conditions.push(sql);
    params.push(...values);
  };
  const { statuses, workflowName, createdAfterMs, createdBeforeMs } = filter;
  if (statuses !== undefined) where(isOneOf("r.status", statuses.length), ...statuses);
  if (createdAfterMs !== undefined) where("r.created_at_ms >= ?", createdAfterMs);
  if (createdBeforeMs !== undefined) where("r.created_at_ms < ?", createdBeforeMs);
  if (workflowName !== undefined) where("r.workflow_name = ?", workflowName);
  if (filter.withFailures === true) where(WITH_FAILURES);
  const others = [
    filter.waitsFor === undefined ? undefined : waitsFor(filter.waitsFor),
    filter.decidableBy === undefined ? undefined : decidableBy(filter.decidableBy),
    ...Object.entries(filter.annotations ?? {}).map((wanted) => annotatedWith(wanted, jsonMember)),
    filter.text === undefined ? undefined : hasText(filter.text, inputs),
  ];
  for (const other of others) if (other !== undefined) where(other.sql, ...other.params);
  return { conditions, params };
}
