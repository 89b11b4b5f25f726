/** @jsxImportSource react */
import { useClient } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { Icon } from "../parts/Icon.js";
import { shown, shownShort } from "../parts/text.js";
import { endBulkWork, METHOD_OF, useBulkWork, workOnRuns } from "./bulk-work.js";

/** Refused ones that are named; what is said of the others is the same mostly. */
const MOST_NAMED = 50;

/** How far it has come with what was last done to many runs, which of them were refused and why; it stays until it is put away. */
export function BulkOutcome() {
  const client = useClient();
  const work = useBulkWork();
  if (work === null) return null;
  const { verb, done, total, refused, isUnderWay } = work;
  const looked = done + refused.length;
  return (
    <section className="card outcome" aria-label={`${verb} of many runs`}>
      <div className="outcome-head">
        <span role="status" className={isUnderWay ? "busy" : refused.length > 0 ? "bad" : "good"}>
          <Icon name={isUnderWay ? "clock" : refused.length > 0 ? "warning" : "check"} /> {verb}: {done} of{" "}
          {total} done
          {refused.length > 0 && <>, {refused.length} refused</>}
          {!isUnderWay && looked < total && <>, {total - looked} not begun</>}
        </span>
        <progress max={total} value={looked} aria-label="Runs that it was tried with" />
        {refused.length > 0 && !isUnderWay && (
          <ActionButton
            method={METHOD_OF[verb]}
            icon="retry"
            onClick={() =>
              void workOnRuns(
                client,
                work,
                refused.map(({ runId }) => runId),
              )
            }
          >
            Try {refused.length === 1 ? "it" : `these ${refused.length}`} again
          </ActionButton>
        )}
        <button type="button" className="plain" onClick={endBulkWork}>
          {isUnderWay ? "Stop" : "Dismiss"}
        </button>
      </div>
      {refused.length > 0 && (
        <ul className="refused">
          {refused.slice(0, MOST_NAMED).map(({ runId, reason }) => (
            <li key={runId}>
              <Link to={places.run(runId)}>
                <code>{shownShort(runId, 40)}</code>
              </Link>{" "}
              <span className="hint">{shown(reason)}</span>
            </li>
          ))}
          {refused.length > MOST_NAMED && <li className="hint">and {refused.length - MOST_NAMED} more</li>}
        </ul>
      )}
    </section>
  );
}
