import type { TaskKey } from "./address.js";
import type { Awaitable } from "../util/awaitable.js";

/** Conditions that a rule may watch, see docs/alerts.md. Those that last can be given an `afterMs`. */
export const ALERT_CONDITIONS = {
  "run-running": { lasts: true },
  "run-finished": { lasts: false },
  "run-failed": { lasts: false },
  "run-cancelled": { lasts: false },
  "task-running": { lasts: true },
  "task-retrying": { lasts: true },
  "task-failed": { lasts: false },
  "approval-pending": { lasts: true },
  "approval-denied": { lasts: false },
  "event-pending": { lasts: true },
  "timer-pending": { lasts: true },
  "quota-pending": { lasts: true },
  "budget-exceeded": { lasts: false },
  "loop-exhausted": { lasts: false },
  "workflow-changed": { lasts: false },
} as const;

/** A condition that an alert may watch. */
export type AlertCondition = keyof typeof ALERT_CONDITIONS;
export type AlertSeverity = "info" | "warning" | "critical";

export interface AlertDefaults {
  /** Who is to see to it; not interpreted. */
  owner?: string;
  /** @default "warning" */
  severity?: AlertSeverity;
  /** URL or text: what to do. */
  runbook?: string;
  /** Facts for who receives the alert; not interpreted. */
  labels?: Record<string, string>;
}

/** The reaction of an alert when it fires. */
export type AlertReaction =
  /** The event AlertFired, nothing else. */
  | { kind: "emit-only" }
  /** Nothing new starts until a process resumes the run. */
  | { kind: "pause" }
  | { kind: "cancel" }
  /** Nothing new starts until the approval request `alert:<rule>` is decided; a denial cancels the run. */
  | { kind: "open-approval" }
  | {
      kind: "deliver";
      /** An http(s) URL that gets the alert as a JSON POST, or the name of one of `alertHandlers`. */
      destination: string;
    };

/** When one alert fires and what it does then. */
export interface AlertRule extends AlertDefaults {
  /** Fires once the condition has held this long, milliseconds. @default 0 */
  afterMs?: number;
  /** A reaction, the kind of one that needs nothing else, or the name of one under `reactions`. @default emit-only */
  reaction?: string | AlertReaction;
}

/**
 * Rules are keyed by the condition they watch: one of {@link ALERT_CONDITIONS}, if several rules
 * watch the same one followed by a slash and a name: `approval-pending/escalate`.
 */
export interface AlertPolicy {
  /** For every rule that does not say otherwise. */
  defaults?: AlertDefaults;
  /** By condition. */
  rules?: Record<string, AlertRule>;
  /** By the names that rules call them. */
  reactions?: Record<string, AlertReaction>;
}

/** The alert that is delivered when a rule fires. */
export interface Alert extends AlertDefaults {
  /** Its key in the policy. */
  rule: string;
  severity: AlertSeverity;
  /** One sentence for people. */
  message: string;
  runId: string;
  /** The name on `<Workflow>`. */
  workflowName: string;
  /** Absent for rules about the run itself. */
  nodeId?: string;
  iteration?: number;
  /** Epoch ms. */
  timestampMs: number;
  /** The same for each delivery of one alert, which may be repeated after a crash. */
  idempotencyKey: string;
}

/** Takes alerts in the process that drives the run. A rejection counts as a failed delivery. */
export type AlertHandler = (alert: Alert) => Awaitable<void>;

/** A rule that has fired for a task or the run: it does so once. */
export interface FiredAlert {
  kind: "alert";
  /** `<rule>` or `<rule>:<nodeId>::<iteration>`. */
  id: string;
  alert: Alert;
  /**
   * Where it goes, for as long as it has not arrived and has not been given up: handler name, or
   * scheme and host. The rest of an address is a secret that stays in the policy.
   */
  destination: string | null;
}

/** Something that keeps a run from starting anything new. */
export interface Hold {
  kind: "hold";
  /** Key of its approval request, if it asks for one: `alert:<rule>::0`. */
  id: TaskKey;
  reason: string;
  /** It ends with a decision; otherwise when a process resumes the run. */
  asks: boolean;
  sinceMs: number;
  isOpen: boolean;
}
