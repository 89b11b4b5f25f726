/** The right to write a run. */
export interface Lease {
  readonly runId: string;
  readonly ownerId: string;
  readonly epoch: number;
}

/** The owner of a run before the present claim. */
export interface FormerOwner {
  readonly ownerId: string | null;
  /** Epoch ms; null = none, or none known. */
  readonly heartbeatAtMs: number | null;
  /** See RunRow. @default as the claim has it */
  readonly inCompany?: boolean;
}

export interface ClaimRequest {
  runId: string;
  ownerId: string;
  nowMs: number;
  /** The row as the claimant read it. */
  expected: { epoch: number; ownerId: string | null; heartbeatAtMs: number | null };
  /** The owner before has died: that counts. @default false */
  isAfterDeath?: boolean;
  /** See RunRow. @default as it was: the claimant begins no attempt */
  inCompany?: boolean;
}

/** A sign of life of a lease's holder. */
export interface Beat {
  readonly lease: Lease;
  /** Epoch ms. */
  readonly nowMs: number;
}

/** Of all leases of a process that are seen to while it is blocked. */
export interface BlockedBeat {
  /** The process's first thread is not blocked. To be called at least every `everyMs`. */
  alive(): void;
  /** Ends the heartbeat of this lease. */
  end(): void;
}
