/** @jsxImportSource react */
import { nodeCountText } from "../../model/node-counts.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { Progress } from "../parts/Progress.js";
import { lookOf, State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { Trigger } from "../parts/Trigger.js";
import type { RunFilters } from "./run-filters.js";
import { type ListedRun, type Selection, toggled } from "./selection.js";

interface RunsTableProps {
  runs: readonly ListedRun[];
  /** Of the address, to be kept. */
  filters: RunFilters;
  selected: Selection;
  onSelect(selected: Selection): void;
}

export function RunsTable({ runs, filters, selected, onSelect }: RunsTableProps) {
  const areAll = runs.every(({ runId }) => selected.has(runId));
  return (
    <table className="table runs">
      <thead>
        <tr>
          <th className="tick">
            <input
              type="checkbox"
              aria-label="Select all runs of this page"
              checked={areAll}
              onChange={() => onSelect(toggled(selected, runs))}
            />
          </th>
          <th>Status</th>
          <th>Workflow</th>
          <th>Run</th>
          <th>Tasks</th>
          <th className="cell-tokens end">Tokens</th>
          <th className="cell-trigger">Begun by</th>
          <th className="cell-time">Started</th>
          <th className="end">Took</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.runId} className={selected.has(run.runId) ? "selected" : undefined}>
            <td className="tick">
              <input
                type="checkbox"
                aria-label={`Select run ${run.runId}`}
                checked={selected.has(run.runId)}
                onChange={() => onSelect(toggled(selected, [run]))}
              />
            </td>
            <td className="cell-state">
              <State state={run.runState} failures={run.nodes.failed ?? 0} />
              <Reason run={run} />
            </td>
            <td className="cell-name">
              <Link to={places.run(run.runId)} className="strong">
                {shownShort(run.workflowName, 60)}
              </Link>
              {run.workflowKey !== null && run.workflowKey !== filters.workflow && (
                <Link
                  className="hint only"
                  to={places.runs({ ...filters, workflow: run.workflowKey })}
                  aria-label={`Only runs of ${run.workflowKey}`}
                  title="Only runs of this workflow"
                >
                  <Icon name="search" />
                </Link>
              )}
            </td>
            <td className="cell-id">
              <Link to={places.run(run.runId)}>
                <code>{shownShort(run.runId, 24)}</code>
              </Link>
              <CopyButton text={run.runId} what={`the id ${run.runId}`} />
            </td>
            <td className="cell-tasks">
              <Progress counts={run.nodes} />
              <span className={run.nodes.failed === undefined ? "number" : "number bad"}>
                {run.nodes.failed !== undefined && <Icon name="cross" />} {nodeCountText(run.nodes)}
              </span>
            </td>
            <td className="cell-tokens end number">{run.tokens === 0 ? "" : run.tokens.toLocaleString()}</td>
            <td className="cell-trigger">
              <Trigger run={run} />
            </td>
            <td className="cell-time">
              <Moment at={run.startedAtMs ?? run.createdAtMs} />
            </td>
            <td className="cell-took end">
              <Since at={run.startedAtMs ?? run.createdAtMs} until={run.finishedAtMs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The first of what the run's own row says about it. */
function Reason({ run }: { run: ListedRun }) {
  const { stopped, paused, error, cancelled, resumeFailure, waiting, wakeAtMs, damage } = run;
  const text =
    damage?.message ??
    stopped?.reason ??
    paused?.reason ??
    (resumeFailure === null ? undefined : `cannot be resumed: ${resumeFailure.error.message}`) ??
    error?.message ??
    cancelled?.reason;
  if (text != null) {
    return (
      <span className="reason" title={shown(text)}>
        {shownShort(text, 90)}
      </span>
    );
  }
  if (run.finishedAtMs !== null) return null;
  if (waiting !== null) {
    const { label, nodeId, wait, sinceMs, dueAtMs } = waiting;
    const name = label ?? nodeId;
    return (
      <span className="reason" title={shown(name)}>
        {run.runState !== `waiting-${wait}` && `${lookOf(`waiting-${wait}`).text}: `}
        <bdi>{shownShort(name, 60)}</bdi>, {dueAtMs === null ? "for " : "until "}
        {dueAtMs === null ? <Since at={sinceMs} /> : <Moment at={dueAtMs} />}
      </span>
    );
  }
  if (wakeAtMs === null) return null;
  return (
    <span className="reason">
      until <Moment at={wakeAtMs} />
    </span>
  );
}
