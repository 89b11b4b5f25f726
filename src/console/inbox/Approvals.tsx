/** @jsxImportSource react */
import { useState } from "react";
import type { ApprovalRow } from "../../model/approval.js";
import { useApprovals, useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { ApprovalCard } from "./ApprovalCard.js";
import { useRefusal } from "../access/token.js";
import { Icon } from "../parts/Icon.js";
import { useNotice } from "../parts/notices.js";
import { Damage, Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";

interface ApprovalsProps {
  filter: { workflow?: string; runId?: string };
  heading: string;
  /** Says nothing where nothing waits. */
  hidesNothing?: boolean;
}

/** Runs whose workflow is named. */
const MOST_NAMED = 500;

const addressOf = ({ runId, nodeId, iteration }: ApprovalRow) => JSON.stringify([runId, nodeId, iteration]);

/** Requests that wait for a person. One that another person answers meanwhile does not just vanish. */
export function Approvals({ filter, heading, hidesNothing = false }: ApprovalsProps) {
  const { data, decide, ...reading } = useApprovals(filter);
  useRefusal(reading.error);
  const waiting = data?.approvals ?? [];
  const isOfMany = filter.runId === undefined;
  const names = useMethod(
    "listRuns",
    isOfMany ? { ...filter, waitsFor: ["approval"], limit: MOST_NAMED } : null,
  ).data;
  // A page may be short, or empty, before the last one.
  const isCut = data?.nextCursor != null;
  const gone = useGone(waiting);
  const kept = useNotice();
  const isQuiet =
    waiting.length === 0 && !isCut && data?.damaged === undefined && reading.error === undefined;
  if (hidesNothing && isQuiet && gone.rows.length === 0) return null;
  return (
    <section aria-labelledby="approvals-heading">
      <h2 id="approvals-heading">
        {heading} {data !== undefined && `(${waiting.length}${isCut ? "+" : ""})`}
      </h2>
      <Reading {...reading} />
      {data !== undefined && waiting.length === 0 && !isCut && (
        <p className="empty">Nothing waits for a decision.</p>
      )}
      {waiting.map((approval) => (
        <ApprovalCard
          key={addressOf(approval)}
          approval={approval}
          isOfMany={isOfMany}
          workflowName={names?.runs.find(({ runId }) => runId === approval.runId)?.workflowName}
          onDecide={async (shownApproval, answer) => {
            await kept(decide(shownApproval, answer), {
              said: `Your answer to “${shown(shownApproval.request.title)}” has been kept.`,
              events: { node: shownApproval.nodeId, category: "approval" },
            });
            gone.dismiss(shownApproval);
          }}
        />
      ))}
      {isCut && <p className="hint">More may wait than is shown: treadle inbox lists them.</p>}
      <Damage damaged={data?.damaged} />
      <div role="status">
        {gone.rows.map((row) => (
          <p key={addressOf(row)} className="card note">
            <Icon name="arrow" />{" "}
            {`“${shown(row.request.title)}” waits no more: another person decided it, or its run went on or ended without it.`}{" "}
            <Link to={places.events(row.runId, { node: row.nodeId, category: "approval" })}>Its events</Link>{" "}
            <button type="button" className="plain" onClick={() => gone.dismiss(row)}>
              Dismiss
            </button>
          </p>
        ))}
      </div>
    </section>
  );
}

/** Requests that were shown and wait no more, though no answer was given here. */
function useGone(waiting: readonly ApprovalRow[]) {
  const [seen, setSeen] = useState<readonly ApprovalRow[]>([]);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const known = new Set(seen.map(addressOf));
  const fresh = waiting.filter((row) => !known.has(addressOf(row)));
  if (fresh.length > 0) setSeen([...seen, ...fresh]);
  const present = new Set(waiting.map(addressOf));
  return {
    rows: seen.filter((row) => !present.has(addressOf(row)) && !dismissed.has(addressOf(row))),
    dismiss: (row: ApprovalRow) => setDismissed((before) => new Set([...before, addressOf(row)])),
  };
}
