import { APPROVAL_STATUSES, type ApprovalRow } from "../model/approval.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { ApprovalFilter, ApprovalPosition } from "../store/index.js";
import { boundedRows } from "./read/bounded-rows.js";
import { type DamagedRun, damagedRun, readableRows } from "./read/readable-rows.js";
import { type OperationTarget, storeOf } from "./request/target.js";
import { noteShown } from "./request/shown-requests.js";
import { cursorParts, wrongCursor } from "./read/page-cursor.js";

/** Which requests to list; a request is listed when all that is given holds. */
export interface ApprovalListFilter extends Pick<ApprovalFilter, "runId" | "nodeId" | "workflowName"> {
  /**
   * Their status. `requested`: they wait for a decision; `answered`: they have one, which no process has
   * taken up yet, so their rows still say `requested`.
   * @default "requested"
   */
  status?: ListedStatus;
  /** Newest first. @default false */
  descending?: boolean;
  /** Requests at most. @default 500 */
  limit?: number;
}

export interface ApprovalPageFilter extends ApprovalListFilter {
  /** `nextCursor` of the page before. */
  cursor?: string;
}

/** A page of requests, longest waiting first unless asked for otherwise. */
export interface ApprovalPage {
  approvals: ApprovalRow[];
  /** Pass as `cursor` for the next page; null at the end. */
  nextCursor: string | null;
  /** Runs whose requests are left out, since a row of theirs cannot be read. Absent where all is well. */
  damaged?: DamagedRun[];
}

/** The statuses that requests are listed by. */
export const LISTED_STATUSES = [...APPROVAL_STATUSES, "answered"] as const;

export type ListedStatus = (typeof LISTED_STATUSES)[number];

const LARGEST_PAGE = 500;

const RULES = {
  runId: rules.name,
  nodeId: rules.name,
  workflowName: rules.name,
  status: rules.withDefault(rules.oneOf(LISTED_STATUSES), "requested"),
  descending: rules.withDefault(rules.flag, false),
  limit: rules.withDefault(rules.positiveInteger, LARGEST_PAGE),
} satisfies rules.OptionRules<ApprovalListFilter>;

const PAGE_RULES = { ...RULES, cursor: rules.text } satisfies rules.OptionRules<ApprovalPageFilter>;

/**
 * Approval requests, oldest first unless `descending`. A decided one does not wait any more: it is `answered` until
 * a process has taken the decision up, and `approved` or `denied` from then on.
 * @default those that wait for a decision, at most 500
 * @throws INVALID_INPUT for a filter that is unknown or not as described; STORAGE_ERROR for a request that cannot be read
 */
export async function listApprovals(
  target: OperationTarget,
  filter: ApprovalListFilter = {},
): Promise<ApprovalRow[]> {
  const { limit, ...chosen } = checkOptions("listApprovals", filter, RULES);
  const store = await storeOf(target);
  const rows = await store.listApprovals({ ...stored(chosen), limit });
  noteShown(store, rows);
  return rows;
}

/**
 * As listApprovals, a page at a time; what cannot be read is named and hides nothing else.
 * @throws INVALID_INPUT for a filter or cursor that is not as described
 */
export async function pageApprovals(
  target: OperationTarget,
  options: ApprovalPageFilter = {},
): Promise<ApprovalPage> {
  const { cursor, limit: wanted, ...filter } = checkOptions("pageApprovals", options, PAGE_RULES);
  const store = await storeOf(target);
  const limit = Math.min(wanted, LARGEST_PAGE);
  const after = cursor === undefined ? {} : { after: positionOf(cursor) };
  const damaged = new Map<string, DamagedRun>();
  const readable = (chosen: Omit<ApprovalFilter, "limit">) =>
    boundedRows<ApprovalRow>(
      (last, most) =>
        readableRows(
          (exceptRuns) =>
            store.listApprovals({
              ...chosen,
              ...(last === undefined ? after : { after: last }),
              exceptRuns,
              limit: most,
            }),
          (runId, error) => damaged.set(runId, damagedRun(runId, error)),
        ),
      { limit },
    );
  const chosen = stored(filter);
  const { rows: approvals, hasMore } = await readable(chosen);
  const { status, answered: _answered, ...others } = chosen;
  // It is unknown whether these are among those that are asked for.
  if (cursor === undefined) await readable({ ...others, unknownStatus: true });
  noteShown(store, approvals);
  const last = approvals.at(-1);
  return {
    approvals,
    nextCursor: hasMore && last !== undefined ? approvalCursor(last) : null,
    ...(damaged.size > 0 && { damaged: [...damaged.values()] }),
  };
}

/** An answered request waits no more, although its row says so only once the answer is taken up. */
function stored<F extends { status: ListedStatus }>({
  status,
  ...filter
}: F): Omit<F, "status"> & Pick<ApprovalFilter, "status" | "answered"> {
  if (status === "answered") return { ...filter, status: "requested", answered: true };
  return { ...filter, status, ...(status === "requested" && { answered: false }) };
}

/** The cursor of a page that ends with this request. */
export function approvalCursor({ requestedAtMs, runId, nodeId, iteration }: ApprovalPosition): string {
  return JSON.stringify([requestedAtMs, runId, nodeId, iteration]);
}

function positionOf(cursor: string): ApprovalPosition {
  const [requestedAtMs, runId, nodeId, iteration, ...rest] = cursorParts(cursor);
  const isWhole = Number.isSafeInteger(requestedAtMs) && Number.isSafeInteger(iteration);
  if (!isWhole || typeof runId !== "string" || typeof nodeId !== "string" || rest.length > 0) {
    throw wrongCursor(cursor, "approvals");
  }
  return { requestedAtMs: requestedAtMs as number, runId, nodeId, iteration: iteration as number };
}
