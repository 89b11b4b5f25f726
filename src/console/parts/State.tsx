/** @jsxImportSource react */
import { Icon } from "./Icon.js";
import type { IconName } from "./icons.js";

export type Tone = "good" | "bad" | "wait" | "busy" | "idle";

interface Look {
  icon: IconName;
  tone: Tone;
  text: string;
}

/** States of runs, tasks and attempts, as people read them. */
const LOOKS: Readonly<Record<string, Look>> = {
  running: { icon: "play", tone: "busy", text: "running" },
  "in-progress": { icon: "play", tone: "busy", text: "running" },
  pending: { icon: "circle", tone: "idle", text: "pending" },
  queued: { icon: "circle", tone: "idle", text: "queued" },
  stale: { icon: "warning", tone: "bad", text: "no heartbeat" },
  orphaned: { icon: "warning", tone: "bad", text: "owner gone" },
  stopped: { icon: "square", tone: "wait", text: "stopped" },
  succeeded: { icon: "check", tone: "good", text: "succeeded" },
  finished: { icon: "check", tone: "good", text: "finished" },
  continued: { icon: "arrow", tone: "good", text: "continued" },
  failed: { icon: "cross", tone: "bad", text: "failed" },
  cancelled: { icon: "slash", tone: "idle", text: "cancelled" },
  interrupted: { icon: "warning", tone: "wait", text: "interrupted" },
  skipped: { icon: "skip", tone: "idle", text: "skipped" },
  fired: { icon: "check", tone: "good", text: "started" },
  approved: { icon: "check", tone: "good", text: "approved" },
  denied: { icon: "cross", tone: "bad", text: "denied" },
  accepted: { icon: "check", tone: "good", text: "accepted" },
  refused: { icon: "slash", tone: "bad", text: "refused" },
  "being-done": { icon: "play", tone: "busy", text: "under way" },
  "skipped-overlap": { icon: "skip", tone: "idle", text: "skipped: still running" },
  "skipped-missed": { icon: "skip", tone: "wait", text: "missed" },
  "waiting-approval": { icon: "person", tone: "wait", text: "waits for approval" },
  "waiting-event": { icon: "signal", tone: "wait", text: "waits for a signal" },
  "waiting-timer": { icon: "clock", tone: "wait", text: "waits for time" },
  "waiting-retry": { icon: "clock", tone: "wait", text: "waits to try again" },
  "waiting-quota": { icon: "gauge", tone: "wait", text: "waits for quota" },
};

export function lookOf(state: string): Look {
  return LOOKS[state] ?? { icon: "circle", tone: "wait", text: state.replaceAll("-", " ") };
}

interface StateProps {
  state: string;
  /** Failures that the state alone hides, as those of a run that has finished. */
  failures?: number;
  /** Only the picture is drawn; the text is for screen readers. */
  isShort?: boolean;
}

/** A state as picture and text, never by colour alone. */
export function State({ state, failures = 0, isShort = false }: StateProps) {
  const { icon, tone, text } = lookOf(state);
  const isTolerated = failures > 0 && tone === "good";
  const shownText = isTolerated ? `${text} with ${failures} failed` : text;
  return (
    <span className={`state ${isTolerated ? "wait" : tone}`} title={isShort ? shownText : undefined}>
      <Icon name={isTolerated ? "warning" : icon} />
      <span className={isShort ? "unseen" : undefined}>{shownText}</span>
    </span>
  );
}
