import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import { deliverAlert } from "../../src/engine/alerts/deliver.js";
import { resolveAlertPolicy } from "../../src/engine/alerts/rules.js";
import type { FiredAlert } from "../../src/model/alert.js";
import { loopbackServer } from "../tools/support/loopback-server.js";
import { systemClock } from "../../src/util/clock.js";

const TOKEN = "T0KEN-abcdef123456";
const HOOK = `http://127.0.0.1:1/services/${TOKEN}/x?token=${TOKEN}2`;
const impatient = {
  ...systemClock,
  setTimer: (_atMs: number, fire: () => void) => {
    queueMicrotask(fire);
    return () => {};
  },
};
const to = (destination: string) => ({
  rules: { "run-failed": { reaction: { kind: "deliver" as const, destination } } },
});

it.each(["https://user:pass@hooks.example/x", `https://${TOKEN}@hooks.example/`])(
  "a webhook with user info is refused: %s",
  (destination) => {
    const resolve = () => resolveAlertPolicy(to(destination));
    expect(resolve).toThrow(/user name or password/);
    expect(resolve).not.toThrow(new RegExp(`${TOKEN}|user:pass`));
  },
);

it("the tokens of a webhook are in no event and no row of the run", async () => {
  const hook = await loopbackServer();
  const { Workflow, Task, service, outputs } = createService({ row: z.object({ n: z.number() }) });
  const test = await testWorkflow(
    service(
      () => (
        <Workflow name="failing">
          <Task id="a" noRetry output={outputs.row}>
            {() => {
              throw new Error("no");
            }}
          </Task>
        </Workflow>
      ),
      { alertPolicy: to(HOOK.replace("http://127.0.0.1:1", hook.url)) },
    ),
  );
  const result = await test.run();
  const events = JSON.stringify(await test.events());
  expect(result.status).toBe("failed");
  expect(hook.received).toHaveLength(1);
  expect(events).toContain("AlertDelivered");
  expect(events).not.toContain(TOKEN);
});

it("an error that quotes the address is kept without its path and query", async () => {
  const fired: FiredAlert = {
    kind: "alert",
    id: "run-failed",
    destination: "http://127.0.0.1:1",
    alert: {
      rule: "run-failed",
      severity: "warning",
      message: "m",
      runId: "r",
      workflowName: "w",
      timestampMs: 0,
      idempotencyKey: "k",
    },
  };
  const outcome = await deliverAlert(fired, {
    handlers: {},
    clock: impatient,
    policy: { destinationOf: () => HOOK },
  });
  expect(outcome).toMatchObject({ destination: "http://127.0.0.1:1", tries: 3 });
  expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  const forgotten = await deliverAlert(fired, { handlers: {}, clock: impatient, policy: null });
  expect(forgotten.error).toContain("know this destination any more");
});
