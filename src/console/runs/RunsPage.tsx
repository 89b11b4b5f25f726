/** @jsxImportSource react */
import { useEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useRuns } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { Damage, Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { BulkBar } from "./BulkBar.js";
import { FindRun } from "./FindRun.js";
import { RunsTable } from "./RunsTable.js";
import { VIEWS, type ViewName, viewNamed } from "./views.js";

type RunList = GatewayMethods["listRuns"]["result"];

const PAGE = 50;
const FIRST_RUN = "treadle up workflow.tsx";

/** The runs of the gateway, newest first: filters stand in the address. */
export function RunsPage() {
  const { query, go } = useRouter();
  const scope = useScope();
  const view = viewNamed(query.get("view"));
  const workflow = scope.workflow ?? query.get("workflow") ?? undefined;
  const cursor = query.get("cursor") ?? undefined;
  const { statuses } = VIEWS[view];
  const live = useRuns({
    limit: PAGE,
    ...(statuses !== undefined && { statuses: [...statuses] }),
    ...(workflow !== undefined && { workflow }),
    ...(cursor !== undefined && { cursor }),
  });
  useRefusal(live.error);
  const [frozen, setFrozen] = useState<RunList | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const listed = `${view} ${workflow} ${cursor}`;
  // Another list: what was kept and chosen was of the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name of the list is what it depends on.
  useEffect(() => {
    setFrozen(null);
    setSelected(new Set());
  }, [listed]);
  const list = frozen ?? live.data;
  const isBehind = frozen !== null && live.data !== frozen;
  const filters = { view: view === "all" ? undefined : view, workflow: query.get("workflow") ?? undefined };
  return (
    <>
      <div className="view-head">
        <h1>Runs</h1>
        <FindRun />
        <button
          type="button"
          className="button"
          aria-pressed={frozen !== null}
          onClick={() => setFrozen(frozen === null ? (live.data ?? null) : null)}
        >
          <Icon name={frozen === null ? "pause" : "play"} />
          {frozen === null ? "Pause" : isBehind ? "Show what has changed" : "Continue"}
        </button>
      </div>
      <div className="filters">
        <nav className="segments" aria-label="Saved views">
          {(Object.keys(VIEWS) as ViewName[]).map((name) => (
            <Link
              key={name}
              to={places.runs({ ...filters, view: name === "all" ? undefined : name })}
              aria-current={name === view ? "page" : undefined}
            >
              {VIEWS[name].name}
            </Link>
          ))}
        </nav>
        {filters.workflow !== undefined && (
          <span className="chip">
            workflow: {shown(filters.workflow)}
            <button
              type="button"
              className="plain"
              aria-label="Runs of every workflow"
              onClick={() => go(places.runs({ ...filters, workflow: undefined }))}
            >
              <Icon name="cross" />
            </button>
          </span>
        )}
        <span className="hint" role="status">
          {frozen !== null && "Paused: the list stays as it is."}
        </span>
      </div>
      <Reading {...live} />
      {selected.size > 0 && (
        <BulkBar runIds={[...selected]} filter={VIEWS[view].name} onClear={() => setSelected(new Set())} />
      )}
      {list !== undefined && list.runs.length > 0 && (
        <RunsTable runs={list.runs} filters={filters} selected={selected} onSelect={setSelected} />
      )}
      {list?.runs.length === 0 && list.nextCursor === null && cursor === undefined && (
        <Nothing isFiltered={view !== "all" || filters.workflow !== undefined} />
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
      <p>
        or one of the <Link to={places.catalog()}>workflows of this gateway</Link>.
      </p>
    </div>
  );
}
