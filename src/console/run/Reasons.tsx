/** @jsxImportSource react */
import { hasTaskPlace } from "../../model/address.js";
import { type Blocker, groupBlockers } from "../../operations/index.js";
import { ErrorCard } from "../node/ErrorCard.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import type { IconName } from "../parts/icons.js";
import { shown } from "../parts/text.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { RemedyButton } from "./RemedyButton.js";

const ICONS: Readonly<Record<Blocker["kind"], IconName>> = {
  paused: "pause",
  approval: "person",
  event: "signal",
  hijack: "person",
  timer: "clock",
  quota: "gauge",
  retry: "retry",
  owner: "warning",
  queued: "circle",
  "code-changed": "warning",
  "resume-failed": "warning",
  "failed-task": "cross",
  "decision-pending": "person",
  dependency: "lines",
  concurrency: "gauge",
  limit: "gauge",
  worker: "circle",
  scores: "gauge",
};

const BAD = new Set<Blocker["kind"]>(["failed-task", "owner", "resume-failed", "code-changed"]);

/** What a process that drives the run ends by itself. */
const IN_TIME = new Set<Blocker["kind"]>(["timer", "quota"]);

interface ReasonsProps {
  blockers: readonly Blocker[];
  /** Whether a process drives the run. */
  isDriven: boolean;
}

/** Why the run does not continue, as `why` says it, each with what removes it. */
export function Reasons({ blockers, isDriven }: ReasonsProps) {
  if (blockers.length === 0) return null;
  return (
    <section aria-label="Why it does not continue">
      <ul className="reasons">
        {groupBlockers(blockers).map((blocker) => {
          const { kind, runId, nodeId, summary, sinceMs, untilMs, error, remedy } = blocker;
          return (
            <li key={JSON.stringify([kind, runId, nodeId, blocker.iteration, summary])}>
              <span className={BAD.has(kind) ? "bad" : "wait"}>
                <Icon name={ICONS[kind]} />
              </span>
              <div className="reason-text">
                <p>
                  {kind === "failed-task" && error != null ? (
                    <>
                      {nodeId === undefined ? "The run" : "A task"} failed
                      {nodeId !== undefined && (
                        <>
                          : <code>{shown(nodeId)}</code>
                        </>
                      )}
                    </>
                  ) : (
                    shown(sinceMs === null || kind === "owner" ? summary : summary.replace(/\.$/, ""))
                  )}{" "}
                  <span className="hint">
                    {sinceMs !== null && kind !== "owner" && (
                      <>
                        {kind === "failed-task" ? "" : "for "}
                        <Since at={sinceMs} />
                        {kind === "failed-task" && " ago"}
                      </>
                    )}
                    {untilMs !== undefined && (
                      <>
                        {" "}
                        until <Moment at={untilMs} />
                      </>
                    )}
                    {runId !== undefined && (
                      <>
                        {" "}
                        in run <Link to={places.run(runId)}>{shown(runId)}</Link>
                      </>
                    )}
                  </span>
                </p>
                {kind === "failed-task" && error != null && <ErrorCard error={error} />}
              </div>
              {remedy !== null && !(isDriven && IN_TIME.has(kind)) && (
                <RemedyButton remedy={remedy} waiter={hasTaskPlace(blocker) ? blocker : undefined} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
