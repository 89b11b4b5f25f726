/** @jsxImportSource react */
import { useRef, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useMethod, useRuns } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { Damage, Reading } from "../parts/Reading.js";
import { BulkBar } from "./BulkBar.js";
import { RunHistogram } from "./RunHistogram.js";
import { RunsTable } from "./RunsTable.js";
import type { Selection } from "./selection.js";
import { chosenBy, type RunFilters, viewOf } from "./run-filters.js";
import { useSteadyRuns } from "./steady-runs.js";
import { VIEWS } from "./views.js";

type RunList = GatewayMethods["listRuns"]["result"];

interface ListedRunsProps {
  workflow: string | undefined;
  /** Of the address, to be kept. */
  filters: RunFilters;
}

const PAGE = 50;
const FIRST_RUN = "treadle up workflow.tsx";
const NONE: Selection = new Map();

/** A page of the runs that fit the filters (of other ones it is another list, with nothing chosen), and how all that fit lie in time. */
export function ListedRuns({ workflow, filters }: ListedRunsProps) {
  const { query } = useRouter();
  const cursor = query.get("cursor") ?? undefined;
  const filter = chosenBy(filters, workflow, Date.now());
  const live = useRuns({ limit: PAGE, ...filter, ...(cursor !== undefined && { cursor }) });
  useRefusal(live.error);
  const [frozen, setFrozen] = useState<RunList | null>(null);
  const [selected, setSelected] = useState(NONE);
  const list = frozen ?? live.data;
  const place = useRef<HTMLDivElement>(null);
  const { runs, waiting, admit } = useSteadyRuns(list, place, selected.size > 0);
  const isBehind = frozen !== null && live.data !== frozen;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <div className="list-head">
        <RunHistogram
          filter={filter}
          placeOf={({ startMs, endMs }) =>
            places.runs({ ...filters, since: undefined, from: String(startMs), until: String(endMs) })
          }
        />
        {(runs.length > 0 || frozen !== null) && (
          <button
            type="button"
            className="button"
            aria-pressed={frozen !== null}
            onClick={() => setFrozen(frozen === null ? (live.data ?? null) : null)}
          >
            <Icon name={frozen === null ? "pause" : "play"} />
            {frozen === null ? "Pause" : isBehind ? "Show what has changed" : "Continue"}
          </button>
        )}
        <span className="hint" role="status">
          {frozen !== null && "Paused: the list stays as it is."}
        </span>
      </div>
      <Reading {...live} />
      {selected.size > 0 && (
        <BulkBar
          selected={selected}
          list={{ name: VIEWS[viewOf(filters)].name, filter, hasMore: list?.nextCursor != null }}
          onSelect={setSelected}
        />
      )}
      <div className="runs-place" ref={place}>
        <div role="status" className="new-runs">
          {waiting > 0 && (
            <button type="button" className="button" onClick={admit}>
              <Icon name="up" /> {waiting === 1 ? "1 new run" : `${waiting} new runs`}
            </button>
          )}
        </div>
        {runs.length > 0 && (
          <RunsTable runs={runs} filters={filters} selected={selected} onSelect={setSelected} />
        )}
      </div>
      {list?.runs.length === 0 && list.nextCursor === null && cursor === undefined && (
        <Nothing isFiltered={isFiltered} />
      )}
      <Damage damaged={list?.damaged} />
      <nav className="pages" aria-label="Pages">
        {cursor !== undefined && (
          <Link className="button" to={places.runs(filters)}>
            <Icon name="left" /> Newest
          </Link>
        )}
        {list?.nextCursor != null && (
          <Link className="button" to={places.runs({ ...filters, cursor: list.nextCursor })}>
            Older <Icon name="right" />
          </Link>
        )}
      </nav>
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const hasWorkflows = useMethod("listWorkflows", isFiltered ? null : {}).data?.workflows.length !== 0;
  if (isFiltered) {
    return (
      <div className="empty">
        <p>No run is like this.</p>
        <Link to={places.runs()}>Show all runs</Link>
      </div>
    );
  }
  return (
    <div className="empty">
      <p>No run yet. Start one of a workflow file:</p>
      <p>
        <code>{FIRST_RUN}</code> <CopyButton text={FIRST_RUN} what="the command" />
      </p>
      {hasWorkflows ? (
        <p>
          or one of the <Link to={places.catalog()}>workflows of this gateway</Link>.
        </p>
      ) : (
        <p>
          This gateway has no workflow yet: <Link to={places.catalog()}>how it gets one</Link>.
        </p>
      )}
    </div>
  );
}
