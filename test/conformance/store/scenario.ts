import type { SchemaMap } from "../../../src/model/schema.js";
import type { Store } from "../../../src/store/contract.js";

/** What a test of the suite works with: handles on one database that is its own. */
export interface StoreScenario {
  /** A prepared handle. Each call opens another one on the same database. */
  open(schemas?: SchemaMap): Promise<Store>;
}
