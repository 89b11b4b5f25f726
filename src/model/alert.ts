export type AlertSeverity = "info" | "warning" | "critical";

export interface AlertDefaults {
  owner?: string;
  severity?: AlertSeverity;
  /** URL or text: what to do. */
  runbook?: string;
  labels?: Record<string, string>;
}

export type AlertReaction =
  | { kind: "emit-only" }
  | { kind: "pause" }
  | { kind: "cancel" }
  | { kind: "open-approval" }
  | { kind: "deliver"; destination: string };

export interface AlertRule extends AlertDefaults {
  /** Fires once the condition has held this long, milliseconds. Default: at once. */
  afterMs?: number;
  /** A reaction, or the name of one under `reactions`. @default emit-only */
  reaction?: string | AlertReaction;
}

/** Rules are keyed by the condition they watch, see docs/alerts.md. */
export interface AlertPolicy {
  defaults?: AlertDefaults;
  rules?: Record<string, AlertRule>;
  reactions?: Record<string, AlertReaction>;
}
