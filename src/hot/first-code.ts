import type { SchemaMap } from "../model/schema.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { declareOutputs, lendDatabase, schemasOf, ServiceDb } from "../store/index.js";
import { AddedOutputs } from "./added-outputs.js";
import { newOutputs, type RunSchemas } from "./compare-schemas.js";
import { refuseUnsafe } from "./refuse-unsafe.js";

/** The code that a run began with: newer code has to do with its database and its tables. */
export class FirstCode {
  readonly #first: ServiceWorkflow;
  readonly #schemas: SchemaMap;
  readonly #added: AddedOutputs;

  constructor(first: ServiceWorkflow) {
    this.#first = first;
    this.#schemas = schemasOf(first.db) ?? {};
    this.#added = AddedOutputs.of(new ServiceDb(first.db).store);
  }

  /** @throws SCHEMA_CHANGE_HOT for newer code that a run cannot continue with */
  refuseUnsafe(next: ServiceWorkflow): void {
    refuseUnsafe(this.#first, next, this.#known());
  }

  /**
   * Gives newer code, which was not refused, the database with the outputs that it adds.
   * @returns to be called when it is known whether the code is used
   * @throws as declareOutputs
   */
  async lendTo(next: ServiceWorkflow): Promise<(isAdopted: boolean) => void> {
    const schemas = schemasOf(next.db) ?? {};
    const [ours, theirs] = [this.#first.db as object, next.db as object];
    await declareOutputs(ours, theirs, newOutputs(this.#known(), schemas));
    const more = newOutputs({ ...this.#known(), added: {} }, schemas);
    const settle = this.#added.offer(Object.fromEntries(more.map((key) => [key, schemas[key]])) as SchemaMap);
    lendDatabase(ours, theirs);
    return settle;
  }

  #known(): RunSchemas {
    return { first: this.#schemas, added: this.#added.schemas };
  }
}
