import { databaseNameOf } from "../../observability/run-key.js";
import { waitGauges } from "../../observability/wait-gauges.js";
import { fileIdentity, type Store } from "../../store/index.js";

/** From now on the metrics of this process say what waits in this database. */
export function showWaits(store: Store): void {
  const database = fileIdentity(store);
  waitGauges.watch(typeof database === "string" ? database : databaseNameOf(database), store);
}
