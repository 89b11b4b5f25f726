/** The waits of a database's runs that have not ended. */
export interface WaitCounts {
  /** Requests that wait for a decision. */
  readonly approvals: number;
  /** Nodes that wait for a signal or another event from outside. */
  readonly events: number;
  /** Timers that have not fired. */
  readonly timers: number;
}
