/** A slot that a task has asked for, or holds. */
export interface Slot {
  /** The limits that it counts for, sorted; none where only the host has a cap. */
  readonly limits: readonly string[];
  readonly state: "asked" | "held";
  /** What it was for has turned out not to be needed. */
  isUnused: boolean;
}
