/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";
import { useMethod } from "../../react/index.js";
import { formatDuration } from "../../util/duration.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Columns } from "../parts/Columns.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";

type Schedule = GatewayMethods["cronList"]["result"]["schedules"][number];

/** Occurrences of each schedule that are read. */
const PAST = 20;

/** What the clock starts next, and what became of what it was to start. */
export default function ScheduledRuns({ workflow }: { workflow: string | undefined }) {
  const { data, ...reading } = useMethod("cronList", {
    history: PAST,
    ...(workflow !== undefined && { workflow }),
  });
  useRefusal(reading.error);
  const schedules = data?.schedules ?? [];
  const next = schedules
    .flatMap((schedule) => schedule.nextFiresAtMs.map((at) => ({ at, schedule })))
    .sort((a, b) => a.at - b.at);
  const past = schedules
    .flatMap((schedule) => schedule.history.map((occurrence) => ({ ...occurrence, schedule })))
    .sort((a, b) => b.scheduledAtMs - a.scheduledAtMs);
  return (
    <>
      <Reading {...reading} />
      {data !== undefined && schedules.length === 0 && (
        <div className="empty">
          <p>Nothing is scheduled.</p>
          <Link to={places.schedules()}>Schedules</Link>
        </div>
      )}
      {next.length > 0 && (
        <>
          <h2 className="section">Next</h2>
          <table className="table">
            <Columns names={["When", "In", "Workflow", "Schedule"]} />
            <tbody>
              {next.map(({ at, schedule }) => (
                <tr key={`${schedule.cronId} ${at}`}>
                  <td>
                    <Moment at={at} />
                  </td>
                  <td className="number">{formatDuration(Math.max(0, at - Date.now()))}</td>
                  <Origin schedule={schedule} />
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {past.length > 0 && (
        <>
          <h2 className="section">Until now</h2>
          <table className="table">
            <Columns names={["When", "What became of it", "Workflow", "Schedule", "Run"]} />
            <tbody>
              {past.map(({ scheduledAtMs, state, reason, error, runId, schedule }) => (
                <tr key={`${schedule.cronId} ${scheduledAtMs}`}>
                  <td>
                    <Moment at={scheduledAtMs} />
                  </td>
                  <td>
                    <State state={state} />
                    {(reason ?? error) !== null && (
                      <span className="reason">{shownShort(reason ?? error?.message ?? "", 90)}</span>
                    )}
                  </td>
                  <Origin schedule={schedule} />
                  <td>
                    {runId !== null && (
                      <Link to={places.run(runId)}>
                        <code>{shownShort(runId, 24)}</code>
                      </Link>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  );
}

function Origin({ schedule: { workflowKey, cronId, pattern } }: { schedule: Schedule }) {
  return (
    <>
      <td>
        <Link to={places.workflow(workflowKey)} className="strong">
          {shownShort(workflowKey, 60)}
        </Link>
      </td>
      <td>
        <code>{shown(pattern)}</code> <span className="hint">{shownShort(cronId, 40)}</span>
      </td>
    </>
  );
}
