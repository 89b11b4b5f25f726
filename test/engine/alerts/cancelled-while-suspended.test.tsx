import { join } from "node:path";
import {
  type Alert,
  type AlertReaction,
  cancelRun,
  createService,
  getRun,
  listEvents,
  runWorkflow,
  ServiceDb,
} from "treadle";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../support/temporary-folder.js";

async function suspended(reaction: AlertReaction) {
  const alerts: Alert[] = [];
  const { Workflow, Signal, service, outputs } = createService(
    { go: z.object({}) },
    {
      dbPath: join(temporaryFolder("alerts"), "service.db"),
      alertPolicy: { rules: { "run-cancelled": { reaction } } },
      alertHandlers: { desk: (alert) => void alerts.push(alert) },
    },
  );
  const workflow = service(() => (
    <Workflow name="suspended">
      <Signal id="s" schema={outputs.go} />
    </Workflow>
  ));
  expect((await runWorkflow(workflow, { runId: "r" })).status).toBe("waiting-event");
  const events = async () =>
    (await listEvents(workflow, "r"))
      .map(({ event }) => event.type)
      .filter((type) => type.startsWith("Alert"));
  return { workflow, alerts, events };
}

it("run-cancelled fires for a run that no process drives", async () => {
  const { workflow, events } = await suspended({ kind: "emit-only" });
  expect(await cancelRun(workflow, { runId: "r" })).toMatchObject({ status: "cancelled" });
  expect(await events()).toEqual(["AlertFired"]);
});

it("run-cancelled is delivered before the cancellation is answered, and the run is released", async () => {
  const { workflow, alerts, events } = await suspended({ kind: "deliver", destination: "desk" });
  await cancelRun(workflow, { runId: "r" });
  expect(alerts.map(({ rule }) => rule)).toEqual(["run-cancelled"]);
  expect(await events()).toEqual(["AlertFired", "AlertDelivered"]);
  expect((await getRun(workflow, "r")).status).toBe("cancelled");
  expect((await new ServiceDb(workflow.db).store.getRun("r"))?.ownerId).toBeNull();
});

it("run-cancelled does not fire where only the database is known", async () => {
  const { workflow, events } = await suspended({ kind: "emit-only" });
  await cancelRun(new ServiceDb(workflow.db), { runId: "r" });
  expect(await events()).toEqual([]);
});
