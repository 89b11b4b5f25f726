import type { RunStatus } from "../../model/run.js";
import type { RangeName } from "./time-range.js";

interface ListView {
  name: string;
  /** Undefined = all. */
  statuses: readonly RunStatus[] | undefined;
}

/** Lists that have a name in the address. *Scheduled* lists no runs but what the clock starts. */
export const VIEWS = {
  all: { name: "All", statuses: undefined },
  active: {
    name: "Active",
    statuses: ["running", "waiting-approval", "waiting-event", "waiting-timer", "waiting-quota"],
  },
  attention: { name: "Needs attention", statuses: ["failed", "waiting-approval", "waiting-event"] },
  failed: { name: "Failed", statuses: ["failed"] },
  done: { name: "Done", statuses: ["finished", "continued", "cancelled"] },
  scheduled: { name: "Scheduled", statuses: undefined },
} as const satisfies Record<string, ListView>;

export type ViewName = keyof typeof VIEWS;

export function viewNamed(name: string | null): ViewName {
  return name !== null && Object.hasOwn(VIEWS, name) ? (name as ViewName) : "all";
}

/** The views that every page begins with: a list, and perhaps a time. */
export const BUILT_IN: readonly { name: string; view: ViewName; since?: RangeName }[] = [
  { name: VIEWS.all.name, view: "all" },
  { name: VIEWS.active.name, view: "active" },
  { name: VIEWS.attention.name, view: "attention" },
  { name: VIEWS.failed.name, view: "failed" },
  { name: "Failed 24 h", view: "failed", since: "24h" },
  { name: VIEWS.done.name, view: "done" },
  { name: VIEWS.scheduled.name, view: "scheduled" },
];
