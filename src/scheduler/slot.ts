/** A slot that a task has asked for, or holds. */
export interface Slot {
  /** The limits that it counts for, sorted; none where only the host has a cap. */
  readonly limits: readonly string[];
  readonly state: "asked" | "held";
  /** The attempt that it was for does not need it. */
  isUnused: boolean;
}
