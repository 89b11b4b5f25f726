import { afterEach, beforeEach, describe } from "vitest";
import type { SchemaMap } from "../../../src/model/schema.js";
import { acrossRuns } from "./across-runs.js";
import { chosenRuns } from "./chosen-runs.js";
import { changes } from "./changes.js";
import { deliveries } from "./deliveries.js";
import { deletion } from "./deletion.js";
import { eventLog } from "./event-log.js";
import { fencing } from "./fencing.js";
import { type CreateDatabase, schemas, type TestDatabase } from "./fixtures.js";
import { frames } from "./frames.js";
import { images } from "./images.js";
import { inbox } from "./inbox.js";
import { leases } from "./leases.js";
import { limits } from "./limits.js";
import { memory } from "./memory.js";
import { outputs } from "./outputs.js";
import { records } from "./records.js";
import { scores } from "./scores.js";
import { toolEffects } from "./tool-effects.js";
import { runs } from "./runs.js";
import { schedules } from "./schedules.js";
import type { StoreScenario } from "./scenario.js";
import { writingTogether } from "./writing-together.js";

/** What every store has to do, whatever its database. */
export function storeConformance(name: string, createDatabase: CreateDatabase): void {
  describe(`${name} keeps the store contract`, () => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await createDatabase();
    });

    afterEach(async () => {
      await database.dispose();
    });

    const scenario: StoreScenario = {
      async open(wanted: SchemaMap = schemas) {
        const store = database.open(wanted);
        await store.prepare();
        return store;
      },
    };

    for (const suite of [
      runs,
      chosenRuns,
      leases,
      fencing,
      writingTogether,
      eventLog,
      inbox,
      frames,
      outputs,
      records,
      scores,
      acrossRuns,
      toolEffects,
      schedules,
      deliveries,
      limits,
      memory,
      images,
      deletion,
      changes,
    ]) {
      suite(scenario);
    }
  });
}
