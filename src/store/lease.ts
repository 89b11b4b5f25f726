/** The right to write a run. */
export interface Lease {
  readonly runId: string;
  readonly ownerId: string;
  readonly epoch: number;
}
