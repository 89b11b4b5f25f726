/** The lists of a workspace. */
export type ChangedKind = "runs" | "approvals" | "schedules" | "webhooks";

/** A text that changes with a row that lists show. Several rows may share an id, such as the approvals of a run. */
export interface ChangeMark {
  /** `ended`: runs that are not among `runs` any more. `count`: of all runs, these included; its `no` is the greatest of a run. */
  kind: ChangedKind | "ended" | "count";
  /** Of approvals that of their run; of `count` none. */
  id: string;
  mark: string;
  /** Number of a run; 0 for others. */
  no: number;
}
