/** @jsxImportSource react */
import { lazy, useState } from "react";
import { useRouter } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { Icon } from "../parts/Icon.js";
import { BulkOutcome } from "./BulkOutcome.js";
import { FindRun } from "./FindRun.js";
import { ListedRuns } from "./ListedRuns.js";
import { filtersOf, viewOf } from "./run-filters.js";
import { RunFilterBar } from "./RunFilterBar.js";
import { SavedViews } from "./SavedViews.js";

const ScheduledRuns = lazy(() => import("./ScheduledRuns.js"));

/** The runs of the gateway, newest first: filters stand in the address. */
export function RunsPage() {
  const { query } = useRouter();
  const filters = filtersOf(query);
  const workflow = useScope().workflow ?? filters.workflow;
  // On a wide page they always are.
  const [areShown, setShown] = useState(false);
  const isScheduled = viewOf(filters) === "scheduled";
  return (
    <>
      <div className="view-head">
        <h1>Runs</h1>
        <FindRun />
      </div>
      <div className="filters">
        <SavedViews filters={filters} />
      </div>
      {!isScheduled && (
        <div className="filters fine" data-open={areShown || undefined}>
          <button
            type="button"
            className="button turn"
            aria-expanded={areShown}
            onClick={() => setShown(!areShown)}
          >
            <Icon name={areShown ? "up" : "down"} /> Filters
          </button>
          <RunFilterBar filters={filters} />
        </div>
      )}
      <BulkOutcome />
      {isScheduled ? (
        <ScheduledRuns workflow={workflow} />
      ) : (
        <ListedRuns key={query.toString()} filters={filters} workflow={workflow} />
      )}
    </>
  );
}
