/** @jsxImportSource react */
import { useAllowed } from "../access/allowed.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import { shown, shownShort } from "../parts/text.js";
import { SearchRuns } from "./SearchRuns.js";
import { ONLY, type Only, onlyOf, type RunFilters, toggledName, WAIT_NAMES, waitsOf } from "./run-filters.js";
import { RANGES, type RangeName } from "./time-range.js";

/** What narrows the list down: time, failures, who is needed, what is waited for. All of it stands in the address. */
export function RunFilterBar({ filters }: { filters: RunFilters }) {
  const { go } = useRouter();
  const { missing } = useAllowed();
  const { since, from, until } = filters;
  const allTimes = { ...filters, since: undefined, from: undefined, until: undefined };
  const isBar = since === undefined && (from !== undefined || until !== undefined);
  const [only, waits] = [onlyOf(filters), waitsOf(filters)];
  const scope = missing("submitApproval");
  return (
    <>
      <nav className="segments" aria-label="Time">
        <Link to={places.runs(allTimes)} aria-current={since === undefined && !isBar ? "page" : undefined}>
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
      <nav className="segments" aria-label="Only runs">
        {(Object.keys(ONLY) as Only[]).map((name) =>
          name === "me" && scope !== undefined ? (
            <button key={name} type="button" disabled title={`Needs the scope ${scope}`}>
              {ONLY[name]} <span className="needs">needs {scope}</span>
            </button>
          ) : (
            <Link
              key={name}
              to={places.runs({ ...filters, only: toggledName(only, name) })}
              aria-current={only.includes(name) ? "true" : undefined}
            >
              {ONLY[name]}
            </Link>
          ),
        )}
      </nav>
      <nav className="segments" aria-label="Runs that wait for">
        <span className="segments-name">Waits for</span>
        {WAIT_NAMES.map(({ wait, name }) => (
          <Link
            key={wait}
            to={places.runs({ ...filters, waits: toggledName(waits, wait) })}
            aria-current={waits.includes(wait) ? "true" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <SearchRuns key={`${filters.text} ${filters.annotation}`} filters={filters} />
      {isBar && (
        <Chip
          text={`${momentText(from)} – ${momentText(until)}`}
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
      {filters.text !== undefined && (
        <Chip
          text={`text: ${shownShort(filters.text, 60)}`}
          undo="Runs with any text"
          onUndo={() => go(places.runs({ ...filters, text: undefined }))}
        />
      )}
      {filters.annotation !== undefined && (
        <Chip
          text={shownShort(filters.annotation, 60)}
          undo="Runs with any annotation"
          onUndo={() => go(places.runs({ ...filters, annotation: undefined }))}
        />
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
