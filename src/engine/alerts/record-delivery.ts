import type { FiredAlert } from "../../model/alert.js";
import type { CommitBuilder } from "../turn/commit.js";
import type { DeliveryOutcome } from "./deliver.js";

/** An alert has arrived, or was given up. */
export function recordDelivery(commit: CommitBuilder, fired: FiredAlert, outcome: DeliveryOutcome): void {
  commit.marks.push({ ...fired, destination: null });
  const { rule, nodeId, iteration } = fired.alert;
  commit.event({
    type: "AlertDelivered",
    rule,
    destination: outcome.destination,
    ok: outcome.error === null,
    tries: outcome.tries,
    ...(outcome.error !== null && { error: outcome.error }),
    ...(nodeId !== undefined && { nodeId }),
    ...(iteration !== undefined && { iteration }),
  });
}
