import { hostname } from "node:os";
import { expect, it } from "vitest";
import { refuseInsideTask } from "../../../src/operations/workspace/outside-tasks.js";
import { newRun, T0 } from "../../conformance/store/fixtures.js";
import { databasePath, openStore } from "../../store/support/database.js";

// The parents of a process are read where Linux shows them.
it.runIf(process.platform === "linux")(
  "whoever comes from a process that drives a run is refused, however many newer runs there are",
  async () => {
    const store = openStore(databasePath(), {});
    const ids = Array.from({ length: 1_200 }, (_, index) => `newer-${index}`);
    const driven = newRun({ runId: "driven", input: {}, ownerId: `${hostname()}/${process.ppid}/x` });
    store.writeTogether([
      { type: "create", run: driven },
      ...ids.map((runId, at) => ({
        type: "create" as const,
        run: newRun({ runId, input: {}, ownerId: null, nowMs: T0 + 1 + at }),
      })),
    ]);
    await expect(refuseInsideTask({ environment: {} }, store)).rejects.toMatchObject({
      code: "TASK_MAY_NOT_DECIDE",
    });
  },
);
