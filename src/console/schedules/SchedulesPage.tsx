/** @jsxImportSource react */
import { useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { useClient, useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { useScope } from "../frame/scope.js";
import { ActionButton } from "../parts/ActionButton.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { Moment } from "../parts/Moment.js";
import { State } from "../parts/State.js";

type Schedule = GatewayMethods["cronList"]["result"]["schedules"][number];

/** When runs are started by the clock, and what became of the last ones. */
export default function SchedulesPage() {
  const { data, ...reading } = useMethod("cronList", { ...useScope(), history: 5 });
  useRefusal(reading.error);
  return (
    <>
      <div className="view-head">
        <h1>Schedules</h1>
      </div>
      <Reading {...reading} />
      {data?.schedules.length === 0 && (
        <div className="empty">
          <p>No schedule yet. Make one:</p>
          <p>
            <code>treadle cron create &lt;workflow&gt; "0 6 * * *"</code>
          </p>
        </div>
      )}
      <ul className="cards">
        {data?.schedules.map((schedule) => (
          <ScheduleCard key={schedule.cronId} schedule={schedule} />
        ))}
      </ul>
    </>
  );
}

function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const client = useClient();
  const [asked, setAsked] = useState<"run" | "toggle" | null>(null);
  const { cronId, workflowKey, pattern, timeZone, overlap, enabled, nextFiresAtMs, history } = schedule;
  return (
    <li className="card">
      <div className="node-head">
        <h2>
          <code>{shown(pattern)}</code>
        </h2>
        <span className={enabled ? "state good" : "state idle"}>
          <Icon name={enabled ? "check" : "pause"} /> {enabled ? "enabled" : "switched off"}
        </span>
      </div>
      <p className="hint">
        <Link to={places.workflow(workflowKey)}>{shown(workflowKey)}</Link> · {shown(timeZone)} · overlap:{" "}
        {overlap} · <code>{shown(cronId)}</code>
      </p>
      {nextFiresAtMs.length > 0 && (
        <>
          <h3>Next</h3>
          <ul className="times">
            {nextFiresAtMs.map((at) => (
              <li key={at}>{new Date(at).toLocaleString(undefined, { timeZone: zoneOf(timeZone) })}</li>
            ))}
          </ul>
        </>
      )}
      <h3>History</h3>
      {history.length === 0 ? (
        <p className="hint">It has not been due yet.</p>
      ) : (
        <ul className="times">
          {history.map(({ scheduledAtMs, state, runId, reason, error }) => (
            <li key={scheduledAtMs}>
              <Moment at={scheduledAtMs} /> <State state={state} />
              {runId !== null && (
                <>
                  {" "}
                  <Link to={places.run(runId)}>{shown(runId)}</Link>
                </>
              )}
              {(reason ?? error) !== null && (
                <span className="hint"> {shown(reason ?? error?.message ?? "")}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="buttons">
        <ActionButton method="cronRun" icon="play" onClick={() => setAsked("run")}>
          Run now…
        </ActionButton>
        <ActionButton method="cronUpdate" icon="pause" onClick={() => setAsked("toggle")}>
          {enabled ? "Switch off…" : "Switch on…"}
        </ActionButton>
      </div>
      {asked === "run" && (
        <ConfirmDialog
          title="Run it now?"
          verb="Run now"
          command={treadleCommand("cron run", [cronId])}
          onClose={() => setAsked(null)}
          onConfirm={() => client.cronRun({ cronId })}
        >
          <p>Its rule for overlaps ({overlap}) holds for this run as well.</p>
        </ConfirmDialog>
      )}
      {asked === "toggle" && (
        <ConfirmDialog
          title={enabled ? "Switch the schedule off?" : "Switch the schedule on?"}
          verb={enabled ? "Switch off" : "Switch on"}
          command={treadleCommand("cron update", [cronId], { [enabled ? "disable" : "enable"]: true })}
          onClose={() => setAsked(null)}
          onConfirm={() => client.cronUpdate({ cronId, enabled: !enabled })}
        >
          <p>Runs that it has started are not touched.</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

/** A zone that the browser does not know is shown in its own. */
function zoneOf(name: string): string | undefined {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name });
    return name;
  } catch {
    return undefined;
  }
}
