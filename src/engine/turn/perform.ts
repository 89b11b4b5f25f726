import type { TaskKey } from "../../model/address.js";
import type { FiredAlert } from "../../model/alert.js";
import { serviceMetrics } from "../../metrics/catalog.js";
import { deliverAlert } from "../alerts/deliver.js";
import { postOf } from "../attempt/post-of.js";
import type { CommitBuilder, PreparedStart } from "./commit.js";
import { prepareStart } from "./prepare-start.js";
import type { AttemptOutcome } from "../ports.js";
import { loadOf } from "../session/run-load.js";
import type { RunSession } from "../session/session.js";
import { requestSlot } from "../slots/session-slots.js";

type Abort = Extract<CommitBuilder["effects"][number], { type: "abort" }>;

/** Carries out what a committed turn decided. */
export function perform(session: RunSession, commit: CommitBuilder): void {
  const aborts = commit.effects.filter((effect) => effect.type === "abort");
  for (const effect of commit.effects) {
    const { key } = effect;
    const handle = session.handles.get(key);
    if (effect.type === "ask-slot") requestSlot(session, key, effect.limits);
    else if (effect.type === "free-slot") session.ticket?.leave(key);
    else if (effect.type === "abort") handle?.abort(effect.error);
    else if (effect.type === "hand-over") handle?.handOver();
    else {
      const { attempt } = effect;
      const calledOff = aborts.find((abort) => abort.key === key && abort.attempt === attempt);
      const start = commit.starts.get(key);
      if (calledOff === undefined) startAttempt(session, { key, attempt, start });
      else neverBegin(session, calledOff);
    }
  }
  for (const fired of commit.deliveries) startDelivery(session, fired);
  session.scores.afterCommit(commit.scorings);
  session.services.watch?.onTurn(session.runId, loadOf(session.scheduler));
}

function startDelivery({ alerts: policy, view, services, mailbox }: RunSession, fired: FiredAlert): void {
  const { clock } = services;
  const handlers = view.workflow.alertHandlers;
  void deliverAlert(fired, { handlers, clock, policy }).then((outcome) =>
    mailbox.post({ type: "delivered", fired, outcome }),
  );
}

/** The turn that started the attempt has called it off as well. */
function neverBegin({ mailbox }: RunSession, { key, attempt, error }: Abort): void {
  const outcome: AttemptOutcome = { kind: "failed", error, record: {} };
  mailbox.post({ type: "completed", key, attempt, outcome });
}

function startAttempt(
  session: RunSession,
  about: { key: TaskKey; attempt: number; start: PreparedStart | undefined },
): void {
  const { key, attempt } = about;
  const { services, mailbox } = session;
  services.crash?.("before-start");
  serviceMetrics.schedulerWaitDurationMs.observe(session.state.nodes.get(key)?.attempt?.waitedMs ?? 0);
  const start = about.start ?? prepareStart(session, key, attempt);
  if ("refusal" in start) {
    mailbox.post({ type: "completed", key, attempt, outcome: start.refusal });
    return;
  }
  const post = postOf(session, { key, attempt });
  const handle = services.dispatcher.dispatch(start.job, post, session.mounted);
  session.handles.set(key, handle);
  services.crash?.("after-start");
}
