import { deliveryTable, refusalTable } from "../engine-tables/webhooks.js";
import type { Migration } from "./dialect.js";
import { addColumn, tableDdl } from "./table-ddl.js";

/** Bodies of deliveries are kept, and what was refused. Deliveries of before cannot be replayed. */
export const webhookReplays: Migration = {
  version: 21,
  name: "webhook replays",
  statements: (words) => [
    ...["body_text", "replay_of", "replayed_by_json"].map((name) => addColumn(deliveryTable, name, words)),
    ...tableDdl(refusalTable, words),
  ],
};
