/** @jsxImportSource react */
import { useEffect, useRef } from "react";
import { groupBlockers } from "../operations/index.js";
import { useRun, useRunEvents } from "../react/index.js";
import { Approvals } from "./Approvals.js";
import { nodeStates } from "./node-states.js";
import { Moment, Reading, Since, shown, State } from "./shown-parts.js";
import { useRefusal } from "./token.js";
import { runHref } from "./use-route.js";

/** Events that are kept for the list of tasks; fewer are shown. */
const KEPT = 5_000;
const SHOWN = 200;

/** One run: where it stands and why, what waits in it, its tasks and its events. */
export function RunPage({ runId }: { runId: string }) {
  const { data: run, ...reading } = useRun(runId);
  useRefusal(reading.error);
  const heading = useRef<HTMLHeadingElement>(null);
  // Who came by a link or the keyboard starts at the top of the new page.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <p>
        <a href="#/">← All runs</a>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {run === undefined ? "Run" : shown(run.workflowName)} <code>{shown(runId)}</code>
      </h1>
      <Reading {...reading} />
      {run !== undefined && (
        <>
          <p>
            <State state={run.runState} />
            {run.stopped != null && <> ({shown(run.stopped.reason)})</>} · created{" "}
            <Moment at={run.createdAtMs} /> ·{" "}
            <Since at={run.startedAtMs ?? run.createdAtMs} until={run.finishedAtMs} />
          </p>
          {run.error !== null && (
            <p className="problem">
              ✗ {run.error.code !== undefined && <code>{run.error.code}</code>} {shown(run.error.message)}
            </p>
          )}
          {run.nextRunId !== null && (
            <p>
              Continued as <a href={runHref(run.nextRunId)}>{shown(run.nextRunId)}</a>
            </p>
          )}
          {run.blockers.length > 0 && (
            <section aria-labelledby="why-heading">
              <h2 id="why-heading">Why it does not continue</h2>
              <ul>
                {groupBlockers(run.blockers).map((blocker) => (
                  <li key={JSON.stringify(blocker)}>
                    {shown(blocker.kind)}
                    {blocker.nodeId !== undefined && (
                      <>
                        : <code>{shown(blocker.nodeId)}</code>
                        {blocker.count !== undefined && <> and {blocker.count - 1} more</>}
                      </>
                    )}
                    {blocker.sinceMs !== null && (
                      <>
                        , for <Since at={blocker.sinceMs} />
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <Approvals filter={{ runId }} heading="Waits for a decision" hidesNothing />
          <Happenings runId={runId} />
        </>
      )}
    </>
  );
}

function Happenings({ runId }: { runId: string }) {
  const { data: events, isOver, ...reading } = useRunEvents(runId, { limit: KEPT });
  useRefusal(reading.error);
  const nodes = nodeStates(events);
  const newest = events.slice(-SHOWN).toReversed();
  return (
    <>
      <section aria-labelledby="tasks-heading">
        <h2 id="tasks-heading">Tasks</h2>
        <Reading {...reading} />
        {(events[0]?.seq ?? 0) > 0 && (
          <p className="hint">
            Those that have done nothing lately are not shown: treadle inspect lists all.
          </p>
        )}
        <ul className="rows">
          {nodes.map(({ nodeId, iteration, state, attempt }) => (
            <li key={`${nodeId} ${iteration}`} className="row">
              <code>
                {shown(nodeId)}
                {iteration > 0 && <> (round {iteration + 1})</>}
              </code>
              <State state={state} />
              <span className="hint">{attempt > 1 && `attempt ${attempt}`}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="events-heading">
        <h2 id="events-heading">Events {isOver ? "(the run has ended)" : "(live)"}</h2>
        {events.length > SHOWN && <p className="hint">The newest {SHOWN}.</p>}
        <ol className="events" reversed>
          {newest.map(({ seq, event }) => (
            <li key={seq}>
              <code>{seq}</code> <Moment at={event.timestampMs} /> {event.type}
              {"nodeId" in event && event.nodeId !== undefined && (
                <>
                  {" "}
                  <code>{shown(event.nodeId)}</code>
                </>
              )}
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
