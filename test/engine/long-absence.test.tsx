import { expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../src/index.js";
import { openScene, type Scene } from "../support/engine/scene.js";

const DAY_MS = 86_400_000;
const schemas = {
  step: z.object({ attempt: z.int() }),
  go: z.object({ speed: z.number() }),
  decision: z.object({ approved: z.boolean(), decidedBy: z.string().nullable() }),
};

/** A run that waits for everything that ends by itself, and for a person who does not come. */
function waiting() {
  const scene = openScene(schemas);
  const { Workflow, Parallel, Task, Timer, Approval, Signal, outputs, service } = scene.api;
  const workflow = service(() => (
    <Workflow name="waiting">
      <Parallel maxConcurrency={10}>
        <Timer id="nap" duration="1h" />
        <Approval
          id="ok"
          output={outputs.decision}
          request={{ title: "Ship it?" }}
          timeoutMs={3_600_000}
          continueOnFail
        />
        <Signal id="go" schema={outputs.go} timeoutMs={3_600_000} onTimeout="skip" />
        <Task id="flaky" output={outputs.step} retries={1} retryPolicy={{ initialDelayMs: 60_000 }}>
          {(_inputs, { attempt }) => {
            if (attempt === 1) throw new Error("not yet");
            return { attempt };
          }}
        </Task>
        <Signal id="never" schema={outputs.go} />
      </Parallel>
    </Workflow>
  ));
  return { ...scene, workflow };
}

/** Starts the run and lets its process end with nothing but waits open. */
async function leave(scene: ReturnType<typeof waiting>) {
  const controller = new AbortController();
  const driving = scene.drive(scene.workflow, { signal: controller.signal });
  await scene.time.advance(0);
  controller.abort(new ServiceError("PROCESS_ABORTED", "SIGTERM"));
  await scene.time.advance(10_000);
  await driving;
}

async function endsOfWaits(scene: Scene<typeof schemas>) {
  return (await scene.eventTypes()).filter((type) => /^(TimerFired|.*TimedOut)$/.test(type)).sort();
}

it("timers that came due while no process drove the run fire once, as soon as one does", async () => {
  const scene = waiting();
  await leave(scene);
  expect(await endsOfWaits(scene)).toEqual([]);

  scene.time.moveTo(scene.time.now() + 9 * DAY_MS);
  const backAt = scene.time.now();
  expect(await scene.drive(scene.workflow, { resume: true })).toMatchObject({ status: "waiting-event" });
  expect(scene.time.now(), "no time has passed").toBe(backAt);
  expect(await endsOfWaits(scene)).toEqual(["ApprovalTimedOut", "EventWaitTimedOut", "TimerFired"]);
  expect(await scene.events("TimerFired")).toMatchObject([{ timerId: "nap", firedAtMs: backAt }]);
  expect(await scene.node("nap")).toMatchObject({ state: "finished", lastAttempt: 1 });
  expect(await scene.node("ok")).toMatchObject({ state: "failed" });
  expect(await scene.node("go")).toMatchObject({ state: "skipped" });
  expect(await scene.node("flaky")).toMatchObject({ state: "finished", lastAttempt: 2 });
});

it("the next resume does not repeat it", async () => {
  const scene = waiting();
  await leave(scene);
  scene.time.moveTo(scene.time.now() + 9 * DAY_MS);
  await scene.drive(scene.workflow, { resume: true });
  const before = await endsOfWaits(scene);
  scene.time.moveTo(scene.time.now() + 9 * DAY_MS);
  await scene.drive(scene.workflow, { resume: true });
  expect(await endsOfWaits(scene)).toEqual(before);
  expect(await scene.node("flaky")).toMatchObject({ lastAttempt: 2 });
});
