/** @jsxImportSource react */
import type { Blocker, TimedNode } from "../../operations/index.js";
import type { AttemptRow, NodeRow } from "../../model/node.js";
import { formatDuration } from "../../util/duration.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Reasons } from "../run/Reasons.js";
import { TaskSettings } from "./TaskSettings.js";
import { Fact, Facts } from "../parts/Facts.js";
import { shown } from "../parts/text.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";

interface OverviewProps {
  runId: string;
  /** Of the run. */
  blockers: readonly Blocker[];
  isDriven: boolean;
  node: NodeRow;
  /** As the run has it; undefined while that is older than the task. */
  times: TimedNode | undefined;
  attempts: readonly AttemptRow[];
}

/** What the task is, how it stands, and who works for it. */
export function Overview({ runId, node, times, attempts, blockers, isDriven }: OverviewProps) {
  const newest = attempts.at(-1);
  const { agentId, agentModel, outputMode, sessionId, childRunId, cacheKey } = newest?.meta ?? {};
  const own = blockers.filter(
    // The failure itself stands above.
    (one) =>
      one.kind !== "failed-task" &&
      one.runId === undefined &&
      one.nodeId === node.nodeId &&
      (one.iteration ?? 0) === node.iteration,
  );
  return (
    <>
      <Reasons blockers={own} isDriven={isDriven} />
      <Facts>
        <Fact name="Kind">{node.kind ?? "seeded"}</Fact>
        {node.outputKey !== "" && (
          <Fact name="Output">
            <code>{shown(node.outputKey)}</code>
          </Fact>
        )}
        {node.loopId !== null && (
          <Fact name="Loop">
            <code>{shown(node.loopId)}</code>, round {node.iteration + 1}
          </Fact>
        )}
        <Fact name="Attempts">
          {node.lastAttempt}
          {node.failures > 0 && `, ${node.failures} failed`}
          {node.interruptions > 0 && `, ${node.interruptions} interrupted in a row`}
        </Fact>
        {node.identicalFailures > 1 && (
          <Fact name="Same failure">{node.identicalFailures} times in a row</Fact>
        )}
        {newest !== undefined && (
          <>
            <Fact name="Started">
              <Moment at={newest.startedAtMs} />
            </Fact>
            {times !== undefined && (
              <Fact name={times.atWorkSinceMs === null ? "At work" : "At work for"}>
                {times.atWorkSinceMs === null ? (
                  formatDuration(times.workedMs)
                ) : (
                  <Since at={times.atWorkSinceMs - times.workedMs} />
                )}
              </Fact>
            )}
          </>
        )}
        {node.waitingSinceMs !== null && (
          <Fact name="Waiting for">
            <Since at={node.waitingSinceMs} />
          </Fact>
        )}
        {node.dueAtMs !== null && (
          <Fact name="Due">
            <Moment at={node.dueAtMs} />
          </Fact>
        )}
        {(newest?.cached === true || cacheKey !== undefined) && (
          <Fact name="Cache">
            {newest?.cached === true ? "served from it" : "kept there"}
            {cacheKey !== undefined && (
              <>
                {" "}
                <code title={cacheKey}>{shown(cacheKey.slice(0, 12))}</code>{" "}
                <CopyButton text={cacheKey} what="the key in the cache" />
              </>
            )}
          </Fact>
        )}
        {agentId !== undefined && (
          <Fact name="Agent">
            {shown(agentId)}
            {agentModel !== undefined && ` (${shown(agentModel)})`}
          </Fact>
        )}
        {outputMode !== undefined && <Fact name="Structured output">{outputMode}</Fact>}
        {sessionId !== undefined && (
          <Fact name="Session">
            <code>{shown(sessionId)}</code>
          </Fact>
        )}
        {childRunId !== undefined && (
          <Fact name="Child run">
            <Link to={places.run(childRunId)}>{shown(childRunId)}</Link>
          </Fact>
        )}
        <Fact name="Last change">
          <Moment at={node.updatedAtMs} />
        </Fact>
      </Facts>
      <TaskSettings runId={runId} nodeId={node.nodeId} iteration={node.iteration} />
    </>
  );
}
