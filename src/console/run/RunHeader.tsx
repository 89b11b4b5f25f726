/** @jsxImportSource react */
import type { RefObject } from "react";
import { useMethod } from "../../react/index.js";
import { isTerminal, type RunCancellation } from "../../model/run.js";
import { nodeCountText } from "../../model/node-counts.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { formatDuration } from "../../util/duration.js";
import { BudgetBar, budgetName } from "./BudgetBar.js";
import { Fact, Facts } from "../parts/Facts.js";
import { isMadeId } from "../parts/made-id.js";
import { Progress } from "../parts/Progress.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";
import { Trigger } from "../parts/Trigger.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { ErrorCard } from "../node/ErrorCard.js";
import type { Inspection } from "./inspection.js";
import { RunActions } from "./RunActions.js";

interface RunHeaderProps {
  inspection: Inspection;
  heading: RefObject<HTMLHeadingElement | null>;
}

/** Where the run stands, in words, and what can be done with it. */
export function RunHeader({ inspection, heading }: RunHeaderProps) {
  const { run, usage, budgets, loops, time, nodes } = inspection;
  const startedAtMs = run.startedAtMs ?? run.createdAtMs;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <>
      <p className="crumbs">
        <Link to={places.runs()}>Runs</Link> /{" "}
        {run.parentRunId !== null && (
          <>
            <Link to={places.run(run.parentRunId)}>{shownShort(run.parentRunId, 24)}</Link> /{" "}
          </>
        )}
        <code>{shown(run.runId)}</code> <CopyButton text={run.runId} what="the id of the run" />
      </p>
      <div className="view-head">
        <h1 ref={heading} tabIndex={-1}>
          {shownShort(run.workflowName, 120)}
        </h1>
        <State state={run.runState} failures={run.nodes.failed ?? 0} />
        <RunActions inspection={inspection} />
      </div>
      <Facts>
        <Fact name="Tasks">
          <Progress counts={run.nodes} /> {nodeCountText(run.nodes)}
        </Fact>
        <Fact name={run.startedAtMs === null ? "Created" : "Started"}>
          <Moment at={startedAtMs} />
        </Fact>
        <Fact name={run.finishedAtMs === null ? "For" : "Took"}>
          <Since at={startedAtMs} until={run.finishedAtMs} />
        </Fact>
        {time.waitedMs >= 1_000 && (
          <Fact name="At work">
            {formatDuration(time.workedMs)},{" "}
            <span className="hint">{formatDuration(time.waitedMs)} waited</span>
          </Fact>
        )}
        <Fact name="Begun by">
          <Trigger run={run} />
        </Fact>
        {run.forkedFrom !== null && (
          <Fact
            name={
              run.forkedFrom.label === null ? "Fork of" : `Fork ${shownShort(run.forkedFrom.label, 40)} of`
            }
          >
            <Link
              to={places.frames(run.forkedFrom.runId, { frame: String(run.forkedFrom.frameNo) })}
              title={shown(run.forkedFrom.runId)}
            >
              {shownShort(run.forkedFrom.runId, 24)}
            </Link>
            , frame {run.forkedFrom.frameNo}
          </Fact>
        )}
        {run.finishedAtMs === null && (
          <Fact name="Driven by">
            <Owner run={run} />
          </Fact>
        )}
        <Fact name="Frame">
          <span className="number">{run.frameNo}</span>
        </Fact>
        {loops.map(({ id, round, maxIterations }) => (
          <Fact key={id} name={isMadeId(id) ? "Loop" : `Loop ${shownShort(id, 40)}`}>
            <span className="number">
              round {round}
              {maxIterations !== null && ` of ${maxIterations}`}
            </span>
          </Fact>
        ))}
        {usage.calls > 0 && (
          <Fact name="Tokens">
            <span className="number">
              {tokens.toLocaleString()}{" "}
              <span className="hint">
                {usage.inputTokens.toLocaleString()} in
                {usage.cacheReadTokens > 0 && ` (${usage.cacheReadTokens.toLocaleString()} from a cache)`},{" "}
                {usage.outputTokens.toLocaleString()} out,{" "}
                {usage.calls === 1 ? "1 call" : `${usage.calls.toLocaleString()} calls`}
              </span>
            </span>
          </Fact>
        )}
        {budgets.map((budget) => (
          <Fact key={JSON.stringify([budget.id, budget.unit, budget.perTask])} name={budgetName(budget)}>
            <BudgetBar budget={budget} />
          </Fact>
        ))}
        {run.workflowHash !== null && (
          <Fact name="Code">
            <code title={run.workflowHash}>{run.workflowHash.slice(0, 8)}</code> <ChangedCode run={run} />
          </Fact>
        )}
        {Object.entries(run.annotations).map(([name, value]) => (
          <Fact key={name} name={shownShort(name, 40)}>
            <Link to={places.runs({ annotation: `${name}=${value}` })} title="Runs that are annotated so">
              {shownShort(String(value), 80)}
            </Link>
          </Fact>
        ))}
      </Facts>
      <Chain run={run} />
      {run.cancelled !== null && <Cancelled {...run.cancelled} />}
      {nodes.some(({ kind }) => kind === "subflow") && <Children runId={run.runId} />}
      {run.error !== null && run.blockers.length === 0 && <ErrorCard error={run.error} />}
    </>
  );
}

/** That the workflow's file is another one by now; of what has ended for good that says nothing. */
function ChangedCode({ run: { status, workflowKey, workflowHash } }: { run: Inspection["run"] }) {
  const isOver = isTerminal(status) && status !== "failed" && status !== "cancelled";
  const workflows = useMethod("listWorkflows", isOver ? null : {}, { pollMs: 60_000 }).data?.workflows;
  const now = workflows?.find(({ key }) => key === workflowKey)?.fingerprint ?? null;
  if (now === null || now === workflowHash) return null;
  return (
    <span className="badge wait" title={`It is ${now} now. A resume says which of it counts for this run.`}>
      changed since
    </span>
  );
}

/** Whether a process drives the run. */
function Owner({ run }: { run: Inspection["run"] }) {
  const { runState, lastHeartbeatAtMs } = run;
  if (lastHeartbeatAtMs === null) return <>no process yet</>;
  const ago = (
    <>
      <Since at={lastHeartbeatAtMs} /> ago
    </>
  );
  if (runState === "running") return <>a process, heartbeat {ago}</>;
  if (runState === "stale" || runState === "orphaned")
    return <span className="bad">a process that is gone, last heartbeat {ago}</span>;
  return <span className="hint">no process while it waits</span>;
}

/** Who ended it, and why. */
function Cancelled({ reason, requestedBy, atMs }: RunCancellation) {
  return (
    <p>
      Cancelled{requestedBy !== null && <> by {shownShort(requestedBy, 80)}</>} <Moment at={atMs} />
      {reason !== null && <>: {shownShort(reason, 400)}</>}
    </p>
  );
}

/** The runs before and after this one. */
function Chain({ run }: { run: Inspection["run"] }) {
  if (run.continuedFrom === null && run.nextRunId === null) return null;
  return (
    <p className="hint">
      {run.continuedFrom !== null && (
        <>
          Continues <Link to={places.run(run.continuedFrom)}>{shown(run.continuedFrom)}</Link>.{" "}
        </>
      )}
      {run.nextRunId !== null && (
        <>
          Continued as <Link to={places.run(run.nextRunId)}>{shown(run.nextRunId)}</Link>.
        </>
      )}
    </p>
  );
}

/** Child runs that are named in the header; each stands with its task as well. */
const MOST_CHILDREN = 5;

function Children({ runId }: { runId: string }) {
  const { data } = useMethod("listRuns", { parentRunId: runId, limit: MOST_CHILDREN });
  if (data === undefined || data.runs.length === 0) return null;
  return (
    <p className="row-of-fields children">
      <span className="hint">Child runs</span>
      {data.runs.map((child) => (
        <span key={child.runId}>
          <State state={child.runState} failures={child.nodes.failed ?? 0} isShort />{" "}
          <Link to={places.run(child.runId)}>{shownShort(child.runId, 48)}</Link>
        </span>
      ))}
      {data.nextCursor !== null && <span className="hint">and more</span>}
    </p>
  );
}
