/** @jsxImportSource react */
import { lazy } from "react";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";
import { FindRun } from "./FindRun.js";
import { ListedRuns } from "./ListedRuns.js";
import { RANGES, type RangeName, rangeNamed } from "./time-range.js";
import { VIEWS, type ViewName, viewNamed } from "./views.js";

const ScheduledRuns = lazy(() => import("./ScheduledRuns.js"));

/** The runs of the gateway, newest first: filters stand in the address. */
export function RunsPage() {
  const { query, go } = useRouter();
  const scope = useScope();
  const view = viewNamed(query.get("view"));
  const workflow = scope.workflow ?? query.get("workflow") ?? undefined;
  const since = rangeNamed(query.get("since"));
  const filters = {
    view: view === "all" ? undefined : view,
    workflow: query.get("workflow") ?? undefined,
    since,
    from: query.get("from") ?? undefined,
    until: query.get("until") ?? undefined,
  };
  const allTimes = { ...filters, since: undefined, from: undefined, until: undefined };
  const isBar = since === undefined && (filters.from !== undefined || filters.until !== undefined);
  return (
    <>
      <div className="view-head">
        <h1>Runs</h1>
        <FindRun />
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
        {view !== "scheduled" && (
          <nav className="segments" aria-label="Time">
            <Link
              to={places.runs(allTimes)}
              aria-current={since === undefined && !isBar ? "page" : undefined}
            >
              Any time
            </Link>
            {(Object.keys(RANGES) as RangeName[]).map((name) => (
              <Link
                key={name}
                to={places.runs({ ...allTimes, since: name })}
                aria-current={name === since ? "page" : undefined}
              >
                {RANGES[name].name}
              </Link>
            ))}
          </nav>
        )}
        {isBar && view !== "scheduled" && (
          <Chip
            text={`${momentText(filters.from)} – ${momentText(filters.until)}`}
            undo="Runs of any time"
            onUndo={() => go(places.runs(allTimes))}
          />
        )}
        {filters.workflow !== undefined && (
          <Chip
            text={`workflow: ${shown(filters.workflow)}`}
            undo="Runs of every workflow"
            onUndo={() => go(places.runs({ ...filters, workflow: undefined }))}
          />
        )}
      </div>
      {view === "scheduled" ? (
        <ScheduledRuns workflow={workflow} />
      ) : (
        <ListedRuns view={view} workflow={workflow} filters={filters} />
      )}
    </>
  );
}

function Chip({ text, undo, onUndo }: { text: string; undo: string; onUndo(): void }) {
  return (
    <span className="chip">
      {text}
      <button type="button" className="plain" aria-label={undo} onClick={onUndo}>
        <Icon name="cross" />
      </button>
    </span>
  );
}

function momentText(ms: string | undefined): string {
  const date = new Date(Number(ms));
  if (ms === undefined || Number.isNaN(date.getTime())) return "…";
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
