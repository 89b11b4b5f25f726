/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";
import { formatDuration } from "../../util/duration.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Fact, Facts } from "../parts/Facts.js";
import { lookOf } from "../parts/State.js";
import { shown } from "../parts/text.js";

export type Activity = GatewayMethods["workflowActivity"]["result"]["workflows"][number];

/** Since when runs are counted. */
export const DAYS = 30;
const HOUR_MS = 3_600_000;

/** To the hour: with each look another time, nothing would stay. */
export function activitySince(nowMs: number): number {
  return Math.floor(nowMs / HOUR_MS) * HOUR_MS - DAYS * 24 * HOUR_MS;
}

/** How the runs of a workflow went lately: the gateway's numbers, and the last ones as bars as high as they took. */
export function RecentRuns({ activity }: { activity: Activity }) {
  const { counts, successRate, meanDurationMs, recent, workflow } = activity;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return <p className="hint">No run in {DAYS} days.</p>;
  const longest = Math.max(1, ...recent.map(({ durationMs }) => durationMs ?? 0));
  return (
    <>
      <ul className="run-bars" aria-label={`Last ${recent.length} runs, newest last`}>
        {recent.map(({ runId, status, hasFailures, durationMs }) => {
          const { tone, text } = lookOf(status);
          const took = durationMs === null ? "" : `, took ${formatDuration(durationMs)}`;
          const name = `${text}${hasFailures ? ", with failures" : ""}${took}`;
          return (
            <li key={runId}>
              <Link
                to={places.run(runId)}
                className={hasFailures && tone === "good" ? "wait" : tone}
                title={`${shown(runId)}: ${name}`}
                aria-label={`${shown(runId)}: ${name}`}
              >
                <span style={{ height: `${Math.max(12, (100 * (durationMs ?? longest)) / longest)}%` }} />
              </Link>
            </li>
          );
        })}
      </ul>
      <Facts>
        <Fact name={`Runs in ${DAYS} days`}>
          <Link to={places.runs({ workflow, since: "30d" })} className="number">
            {total.toLocaleString()}
          </Link>
        </Fact>
        <Fact name="Went well">
          {successRate === null ? "none ended yet" : `${Math.floor(100 * successRate)} %`}
        </Fact>
        <Fact name="Took on average">
          {meanDurationMs === null ? "none finished yet" : formatDuration(meanDurationMs)}
        </Fact>
      </Facts>
    </>
  );
}
