/** @jsxImportSource react */
import type { ApprovalRow } from "../../model/approval.js";
import { useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Fold } from "../parts/Fold.js";
import { Moment } from "../parts/Moment.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";

interface DecisionsProps {
  /** Of one run; else of all of them. */
  filter: { workflow?: string; runId?: string };
}

/** Of each kind, those that were asked for last. */
const MOST = 100;

/** What people, and rules, have decided, newest first. */
export function Decisions({ filter }: DecisionsProps) {
  const newest = { ...filter, descending: true, limit: MOST };
  const approved = useMethod("listApprovals", { ...newest, status: "approved" }).data;
  const denied = useMethod("listApprovals", { ...newest, status: "denied" }).data;
  const hasMore = approved?.nextCursor != null || denied?.nextCursor != null;
  const all = [...(approved?.approvals ?? []), ...(denied?.approvals ?? [])].sort(
    (a, b) => (b.decidedAtMs ?? 0) - (a.decidedAtMs ?? 0),
  );
  if (all.length === 0) return null;
  return (
    <Fold title={`Decided (${all.length}${hasMore ? "+" : ""})`}>
      <ul className="attempts pad">
        {all.map((approval) => (
          <Decided
            key={JSON.stringify([approval.runId, approval.nodeId, approval.iteration])}
            approval={approval}
            isOfMany={filter.runId === undefined}
          />
        ))}
      </ul>
    </Fold>
  );
}

function Decided({ approval, isOfMany }: { approval: ApprovalRow; isOfMany: boolean }) {
  const { runId, nodeId, iteration, status, request, decidedAtMs, decision, autoApproved, options } =
    approval;
  const labelOf = (key: string) => options?.find((option) => option.key === key)?.label ?? key;
  const chosen = decision?.selected === undefined ? (decision?.ranked ?? []) : [decision.selected];
  const round = iteration > 0 ? { round: String(iteration + 1) } : {};
  return (
    <li className="attempt-head">
      <State state={status} />
      <Link to={places.node(runId, nodeId, round)}>{shownShort(request.title, 120)}</Link>
      {isOfMany && (
        <Link to={places.run(runId)}>
          <code>{shownShort(runId, 48)}</code>
        </Link>
      )}
      {chosen.length > 0 && <strong>{shownShort(chosen.map(labelOf).join(", "), 200)}</strong>}
      <span className="hint">
        {autoApproved
          ? "by a rule"
          : `by ${shownShort(decision?.decidedBy ?? "a person who is not named", 60)}`}
        {decidedAtMs !== null && (
          <>
            , <Moment at={decidedAtMs} />
          </>
        )}
      </span>
      {decision?.note !== undefined && <span>“{shown(decision.note)}”</span>}
    </li>
  );
}
