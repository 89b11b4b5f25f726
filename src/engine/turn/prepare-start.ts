import type { TaskKey } from "../../model/address.js";
import { refusedByBudget } from "../budgets/judge-outcome.js";
import type { AttemptJob } from "../ports.js";
import type { RunSession } from "../session/session.js";
import type { CommitBuilder, PreparedStart } from "./commit.js";

export function prepareStart(session: RunSession, key: TaskKey, attempt: number): PreparedStart {
  const hasBudget = session.state.nodes.get(key)?.task?.aspectIds !== undefined;
  const refusal = hasBudget ? refusedByBudget(session, key) : null;
  return refusal === null ? { job: session.jobOf(key, attempt) } : { refusal };
}

/** The commit that starts attempts of other processes puts them into their queues. Undefined: it starts none. */
export function enlistStarts(session: RunSession, commit: CommitBuilder): Promise<void> | undefined {
  const { dispatcher } = session.services;
  if (dispatcher.enlist === undefined) return undefined;
  const jobs: AttemptJob[] = [];
  for (const effect of commit.effects) {
    if (effect.type !== "start" || isCalledOff(commit, effect)) continue;
    const { key, attempt } = effect;
    if (session.state.nodes.get(key)?.task?.queue === undefined) continue;
    const start = prepareStart(session, key, attempt);
    commit.starts.set(key, start);
    if ("job" in start) jobs.push(start.job);
  }
  if (jobs.length === 0) return undefined;
  return dispatcher.enlist(jobs).then((dispatches) => {
    commit.dispatches = dispatches;
  });
}

/** The turn that starts the attempt has called it off as well. */
function isCalledOff({ effects }: CommitBuilder, start: { key: TaskKey; attempt: number }): boolean {
  return effects.some(
    (effect) => effect.type === "abort" && effect.key === start.key && effect.attempt === start.attempt,
  );
}
