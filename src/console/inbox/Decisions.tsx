/** @jsxImportSource react */
import type { ApprovalRow } from "../../model/approval.js";
import { useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Fold } from "../parts/Fold.js";
import { Moment } from "../parts/Moment.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";

/** Of each kind, the first ones. */
const MOST = 100;

/** What people, and rules, have decided in a run, newest first. */
export function Decisions({ runId }: { runId: string }) {
  const approved =
    useMethod("listApprovals", { runId, status: "approved", limit: MOST }).data?.approvals ?? [];
  const denied = useMethod("listApprovals", { runId, status: "denied", limit: MOST }).data?.approvals ?? [];
  const all = [...approved, ...denied].sort((a, b) => (b.decidedAtMs ?? 0) - (a.decidedAtMs ?? 0));
  if (all.length === 0) return null;
  return (
    <Fold title={`Decided (${all.length})`}>
      <ul className="attempts pad">
        {all.map((approval) => (
          <Decided key={JSON.stringify([approval.nodeId, approval.iteration])} approval={approval} />
        ))}
      </ul>
    </Fold>
  );
}

function Decided({ approval }: { approval: ApprovalRow }) {
  const { runId, nodeId, iteration, status, request, decidedAtMs, decision, autoApproved, options } =
    approval;
  const labelOf = (key: string) => options?.find((option) => option.key === key)?.label ?? key;
  const chosen = decision?.selected === undefined ? (decision?.ranked ?? []) : [decision.selected];
  const round = iteration > 0 ? { round: String(iteration + 1) } : {};
  return (
    <li className="attempt-head">
      <State state={status} />
      <Link to={places.node(runId, nodeId, round)}>{shownShort(request.title, 120)}</Link>
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
