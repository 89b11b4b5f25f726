import { hasTaskPlace, parseTaskKey, taskKey } from "../../model/address.js";
import type { Alert, FiredAlert } from "../../model/alert.js";
import type { Disposition } from "../../scheduler/index.js";
import type { CommitBuilder } from "../turn/commit.js";
import { type RunSession, notifyScheduler } from "../session/session.js";
import { type AlertWatch, type Finding, findingId } from "./alert-watch.js";
import { conditionOfEnd, conditionOfEvent, conditionsOf, describe } from "./conditions.js";
import { shownDestination } from "./rules.js";

/**
 * Fires the rules whose conditions this turn has brought about, or that have held
 * long enough. True when a reaction has changed what the run does next.
 */
export function raiseAlerts(session: RunSession, commit: CommitBuilder): boolean {
  const { alerts, state } = session;
  if (alerts === null) return false;
  const changes = raiseMoments(session, commit);
  for (const key of commit.changedNodes) {
    const row = state.nodes.get(key)?.row;
    if (row !== undefined) alerts.note(row);
  }
  return raise(session, commit, alerts.takeDue(commit.now)) || changes;
}

/**
 * Fires the rules about what has just happened. Waits and work in progress are
 * left to the end of the turn, which may answer or end them. True as above.
 */
export function raiseMoments(session: RunSession, commit: CommitBuilder): boolean {
  const { alerts } = session;
  if (alerts === null) return false;
  const moments = commit.takeUnseenEvents().flatMap(({ body }) => {
    const condition = conditionOfEvent(body);
    if (condition === null) return [];
    const key = hasTaskPlace(body) ? taskKey(body) : null;
    return alerts.of(condition, key);
  });
  return raise(session, commit, [...moments, ...failures(session, commit, alerts)]);
}

/** A task that has failed is found by its row: not every failure that an event tells of stands. */
function failures({ state }: RunSession, commit: CommitBuilder, alerts: AlertWatch): Finding[] {
  return commit.takeUnseenNodes().flatMap((key) => {
    const row = state.nodes.get(key)?.row;
    if (row === undefined) return [];
    const condition = conditionsOf(row).find((each) => each === "task-failed" || each === "task-retrying");
    return condition === undefined ? [] : alerts.of(condition, key).filter(({ rule }) => rule.afterMs === 0);
  });
}

function raise(session: RunSession, commit: CommitBuilder, findings: readonly Finding[]): boolean {
  let changes = false;
  for (const finding of findings) {
    fire(session, commit, finding);
    changes = react(session, commit, finding) || changes;
  }
  return changes;
}

/** Fires the rules about how the run has ended. Nothing can be held or cancelled any more. */
export function raiseEndAlerts(session: AlertedRun, commit: CommitBuilder, stand: Disposition): void {
  const condition = conditionOfEnd(stand);
  if (condition === null) return;
  for (const finding of session.alerts?.of(condition) ?? []) fire(session, commit, finding);
}

/** The parts of a run that firing needs. */
export type AlertedRun = Pick<RunSession, "runId" | "workflowName" | "alerts" | "deliveries">;

function fire(session: AlertedRun, commit: CommitBuilder, finding: Finding): void {
  const { rule, key } = finding;
  session.alerts?.setFired(finding);
  const alert = alertOf(session, commit, finding);
  const { runId: _runId, workflowName: _name, timestampMs: _at, idempotencyKey: _key, ...said } = alert;
  commit.event({ type: "AlertFired", ...said, reaction: rule.reaction.kind });
  const fired: FiredAlert = {
    kind: "alert",
    id: findingId({ rule, key }),
    alert,
    destination: rule.reaction.kind === "deliver" ? shownDestination(rule.reaction.destination) : null,
  };
  commit.marks.push(fired);
  if (fired.destination === null) return;
  session.deliveries.add(fired.id);
  commit.deliveries.push(fired);
}

function alertOf(session: AlertedRun, commit: CommitBuilder, { rule, key }: Finding): Alert {
  const { runId, workflowName } = session;
  const subject = key === null ? `Run ${runId}` : `Task ${parseTaskKey(key).nodeId}`;
  const { owner, severity, runbook, labels } = rule;
  return {
    rule: rule.name,
    severity,
    message: describe(rule.condition, subject, rule.afterMs),
    ...(owner !== undefined && { owner }),
    ...(runbook !== undefined && { runbook }),
    ...(labels !== undefined && { labels }),
    ...(key !== null && parseTaskKey(key)),
    runId,
    workflowName,
    timestampMs: commit.now,
    idempotencyKey: `${runId}:${findingId({ rule, key })}`,
  };
}

/** True when what the run does next may have changed. */
function react(session: RunSession, commit: CommitBuilder, { rule, key }: Finding): boolean {
  const { kind } = rule.reaction;
  const name = key === null ? `alert:${rule.name}` : `alert:${rule.name}:${parseTaskKey(key).nodeId}`;
  switch (kind) {
    case "emit-only":
    case "deliver":
      return false;
    case "cancel":
      notifyScheduler(session, commit, {
        type: "intent",
        intent: {
          id: -1,
          atMs: commit.now,
          kind: "cancel",
          reason: `the alert ${rule.name} fired`,
          requestedBy: name,
        },
      });
      return true;
    case "pause":
    case "open-approval": {
      const iteration = key === null ? 0 : parseTaskKey(key).iteration;
      const subject = key === null ? "the run" : `task ${parseTaskKey(key).nodeId}`;
      const reason = `${rule.name} fired for ${subject}`;
      const hold = { id: taskKey({ nodeId: name, iteration }), reason, asks: kind === "open-approval" };
      notifyScheduler(session, commit, { type: "hold", hold });
      return true;
    }
    default:
      return kind satisfies never;
  }
}
