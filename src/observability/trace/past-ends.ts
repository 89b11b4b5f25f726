/** How a run got to where it is, as far as its trace has to know. */
export interface PastEnds {
  /** How often it had ended before it was reopened. */
  readonly ends: number;
  /** When it was first driven since, epoch ms; null when that is yet to come. */
  readonly reopenedMs: number | null;
}
