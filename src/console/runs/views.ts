import type { RunStatus } from "../../model/run.js";

/** Saved views: which statuses each of them lists; undefined = all. *Scheduled* lists no runs but what the clock starts. */
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
} as const satisfies Record<string, { name: string; statuses: readonly RunStatus[] | undefined }>;

export type ViewName = keyof typeof VIEWS;

export function viewNamed(name: string | null): ViewName {
  return name !== null && Object.hasOwn(VIEWS, name) ? (name as ViewName) : "all";
}
