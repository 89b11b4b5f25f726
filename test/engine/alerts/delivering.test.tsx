import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type Alert, type AlertHandler, type AlertPolicy, createService } from "treadle";
import { testWorkflow, type WorkflowTest } from "treadle/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { deliverAlert } from "../../../src/engine/alerts/deliver.js";
import { systemClock } from "../../../src/util/clock.js";
import { VirtualTime } from "../../support/engine/virtual-time.js";

const api = createService({ note: z.object({ text: z.string() }), decision: z.looseObject({}) });
const { Workflow, Sequence, Task, Approval, service, outputs } = api;

function watched(alertPolicy: AlertPolicy, alertHandlers: Record<string, AlertHandler>) {
  return testWorkflow(
    service(
      () => (
        <Workflow name="watched">
          <Sequence>
            <Task id="a" output={outputs.note}>
              {{ text: "a" }}
            </Task>
            <Approval id="ship" output={outputs.decision} request={{ title: "Ship?" }} />
          </Sequence>
        </Workflow>
      ),
      { alertPolicy, alertHandlers },
    ),
  );
}

const to = (destination: string, rule = "approval-pending"): AlertPolicy => ({
  rules: { [rule]: { reaction: { kind: "deliver", destination }, severity: "critical" } },
});

const deliveries = async (test: WorkflowTest) =>
  (await test.events()).flatMap(({ event }) => (event.type === "AlertDelivered" ? [event] : []));

interface Received {
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Answers with the given status codes in turn, the last one for ever. */
async function webhook(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(statuses.length > 1 ? (statuses.shift() as number) : (statuses[0] ?? 204)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { received, origin: `http://127.0.0.1:${port}` };
}

const alert: Alert = {
  rule: "run-failed",
  severity: "critical",
  message: "Run r has failed.",
  runId: "r",
  workflowName: "w",
  timestampMs: 5,
  idempotencyKey: "r:run-failed",
};
const fired = (destination: string) => ({ kind: "alert" as const, id: "run-failed", alert, destination });
const impatient = {
  ...systemClock,
  setTimer: (_atMs: number, fire: () => void) => systemClock.setTimer(0, fire),
};

describe("an alert for a handler", () => {
  it("reaches it with everything the rule says, after it is stored", async () => {
    const seen: Alert[] = [];
    const test = watched(to("pager"), { pager: (got) => void seen.push(got) });
    await test.run();
    expect(seen).toEqual([
      {
        rule: "approval-pending",
        severity: "critical",
        message: "Task ship waits for a decision.",
        runId: "test",
        workflowName: "watched",
        nodeId: "ship",
        iteration: 0,
        timestampMs: test.clock.now(),
        idempotencyKey: "test:approval-pending:ship::0",
      },
    ]);
    expect(await deliveries(test)).toEqual([
      expect.objectContaining({
        rule: "approval-pending",
        destination: "pager",
        ok: true,
        tries: 1,
        nodeId: "ship",
      }),
    ]);
  });

  it("tells of the end of a run before the run is released", async () => {
    const seen: string[] = [];
    const test = watched(to("pager", "run-finished"), { pager: async ({ rule }) => void seen.push(rule) });
    await test.run();
    expect((await test.approve("ship")).status).toBe("finished");
    expect(seen).toEqual(["run-finished"]);
    expect((await test.events()).map(({ event }) => event.type).slice(-3)).toEqual([
      "RunFinished",
      "AlertFired",
      "AlertDelivered",
    ]);
  });

  it("is sent again when the process died before it was known to have arrived", async () => {
    const keys: string[] = [];
    const test: WorkflowTest = watched(to("pager"), {
      pager({ idempotencyKey }) {
        keys.push(idempotencyKey);
        if (keys.length === 1) void test.crash();
      },
    });
    await test.run();
    await test.resume();
    expect(new Set(keys)).toEqual(new Set(["test:approval-pending:ship::0"]));
    expect(keys).toHaveLength(2);
    expect(await deliveries(test)).toHaveLength(1);
  });
});

/** Delivers to an address that only the policy knows. */
const posted = (url: string) =>
  deliverAlert(fired(new URL(url).origin), {
    handlers: {},
    clock: impatient,
    policy: { destinationOf: () => url },
  });

describe("an alert for a web address", () => {
  it("is posted as JSON under an idempotency key", async () => {
    const { origin, received } = await webhook(204);
    const outcome = await posted(`${origin}/hooks/s3cret`);
    expect(outcome).toEqual({ destination: origin, tries: 1, error: null });
    expect(received).toEqual([
      {
        headers: expect.objectContaining({
          "content-type": "application/json",
          "idempotency-key": "r:run-failed",
        }),
        body: alert,
      },
    ]);
  });

  it("is tried three times", async () => {
    const { origin, received } = await webhook(500, 503, 200);
    const outcome = await posted(origin);
    expect([outcome.tries, outcome.error, received.length]).toEqual([3, null, 3]);
  });

  it("is given up then, saying why, without the path, which may be a secret", async () => {
    const { origin } = await webhook(500);
    const outcome = await posted(`${origin}/hooks/s3cret`);
    expect(outcome).toEqual({ destination: origin, tries: 3, error: "it answered with status 500" });
  });

  it("does not follow a redirect", async () => {
    const { origin } = await webhook(302);
    const { error } = await posted(origin);
    expect(error).not.toBeNull();
  });
});

describe("a handler that fails", () => {
  it("is asked three times with growing pauses, and does not harm the run", async () => {
    let calls = 0;
    const test = watched(to("pager"), {
      pager() {
        calls += 1;
        throw new Error("no signal");
      },
    });
    await test.run();
    expect(calls).toBe(1);
    await test.advance("1s");
    expect(calls).toBe(2);
    await test.advance("5s");
    expect(calls).toBe(3);
    expect(await deliveries(test)).toEqual([
      expect.objectContaining({ ok: false, tries: 3, error: "no signal" }),
    ]);
    expect((await test.approve("ship")).status).toBe("finished");
  });
});

it("gives a handler up that does not answer, as it does a web address", async () => {
  const time = new VirtualTime();
  let calls = 0;
  const silent = () => {
    calls += 1;
    return new Promise<void>(() => {});
  };
  const outcome = deliverAlert(fired("pager"), { handlers: { pager: silent }, clock: time, policy: null });
  expect(await time.until(outcome)).toEqual({
    destination: "pager",
    tries: 3,
    error: "it did not answer within 10000 ms",
  });
  expect(calls).toBe(3);
});
