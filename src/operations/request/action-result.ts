/** What the answer of every action on a run says of its log. */
export interface ActionResult {
  /**
   * Number of the event by which the log of the answer's run records the action. Null where nothing has recorded it yet: the
   * process that drives the run does once it takes the action up, or it was only checked or refused.
   */
  seq: number | null;
}
