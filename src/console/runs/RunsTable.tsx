/** @jsxImportSource react */
import { nodeCountText } from "../../model/node-counts.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Progress } from "../parts/Progress.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { type ListedRun, type Selection, toggled } from "./selection.js";

interface RunsTableProps {
  runs: readonly ListedRun[];
  /** Of the address, to be kept. */
  filters: Readonly<Record<string, string | undefined>>;
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
          <th>Started</th>
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
              {run.workflowKey !== null && run.workflowKey !== filters["workflow"] && (
                <Link
                  className="hint only"
                  to={places.runs({ ...filters, workflow: run.workflowKey })}
                  aria-label={`Only runs of ${run.workflowKey}`}
                >
                  only these
                </Link>
              )}
            </td>
            <td className="cell-id">
              <Link to={places.run(run.runId)}>
                <code>{shownShort(run.runId, 24)}</code>
              </Link>
              <CopyButton text={run.runId} what={`the id ${run.runId}`} />
              {run.parentRunId !== null && (
                <Link className="hint" to={places.run(run.parentRunId)}>
                  {run.continuedFrom === null ? "of a run" : "continues a run"}
                </Link>
              )}
            </td>
            <td className="cell-tasks">
              <Progress counts={run.nodes} />
              <span className="number">{nodeCountText(run.nodes)}</span>
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
  const { stopped, paused, error, resumeFailure, wakeAtMs, damage } = run;
  const text =
    damage?.message ??
    stopped?.reason ??
    paused?.reason ??
    (resumeFailure === null ? undefined : `cannot be resumed: ${resumeFailure.error.message}`) ??
    error?.message;
  if (text !== undefined) {
    return (
      <span className="reason" title={shown(text)}>
        {shownShort(text, 90)}
      </span>
    );
  }
  if (wakeAtMs === null || run.finishedAtMs !== null) return null;
  return (
    <span className="reason">
      until <Moment at={wakeAtMs} />
    </span>
  );
}
