import type { OccurrenceState } from "../../../../src/model/schedule.js";
import { type FireOptions, fireSchedules } from "../../../../src/operations/schedules/fire-schedules.js";
import {
  createSchedule,
  type CreateScheduleRequest,
} from "../../../../src/operations/schedules/change-schedules.js";
import { ServiceDb } from "../../../../src/store/service-db.js";
import { VirtualClock } from "../../../../src/testing/virtual-clock.js";
import { newRun, schemas, step } from "../../../conformance/store/fixtures.js";
import { databasePath, openStore } from "../../../store/support/database.js";
import type { QuietStore } from "../../../support/quiet-store.js";

/** A database with schedules, a clock that the test sets, and a host that writes down what it starts. */
export interface ScheduleScene {
  store: QuietStore;
  db: ServiceDb;
  clock: VirtualClock;
  started: string[];
  errors: Error[];
  add(request?: Partial<CreateScheduleRequest>): Promise<void>;
  /** One look at the time that is given; when something is due next, as ISO text. */
  look(iso?: string, host?: Partial<FireOptions>): Promise<string | null>;
  /** The run of an occurrence ends. */
  end(runId: string): void;
  /** `<time> <state>` of every occurrence, oldest first. */
  history(): string[];
}

export function openScheduleScene(startIso: string, path = databasePath()): ScheduleScene {
  const store = openStore(path, schemas);
  const db = new ServiceDb(store);
  const clock = new VirtualClock(Date.parse(startIso));
  const started: string[] = [];
  const errors: Error[] = [];
  const start: FireOptions["start"] = async ({ runId }) => {
    if (store.getRun(runId) !== undefined) return;
    store.createRun(newRun({ runId, nowMs: clock.now() }));
    started.push(runId);
  };
  return {
    store,
    db,
    clock,
    started,
    errors,
    async add(request = {}) {
      const wanted = { cronId: "c", workflowKey: "w", pattern: "0 * * * *", createdBy: "ada", ...request };
      await createSchedule(db, wanted, { clock });
    },
    async look(iso, host = {}) {
      if (iso !== undefined) clock.moveTo(Date.parse(iso));
      const next = await fireSchedules(store, {
        clock,
        knows: () => true,
        start,
        onError: (error) => errors.push(error),
        ...host,
      });
      return next === null ? null : new Date(next).toISOString();
    },
    end(runId) {
      const lease = { runId, ownerId: "owner-1", epoch: 1 };
      store.commit(step({ lease, run: { status: "finished", release: true } }));
    },
    history: () =>
      store.schedules
        .occurrences({ limit: 100 })
        .map((row): `${string} ${OccurrenceState}` => `${clockTime(row.scheduledAtMs)} ${row.state}`)
        .reverse(),
  };
}

function clockTime(ms: number): string {
  return new Date(ms).toISOString().slice(5, 16);
}
