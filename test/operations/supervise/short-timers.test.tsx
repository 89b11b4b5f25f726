import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { HostedRuns } from "../../../src/operations/host/hosted-runs.js";
import { superviseStore } from "../../../src/operations/supervise/supervise-store.js";
import { deferred } from "../../../src/util/deferred.js";
import { openScene } from "../../support/engine/scene.js";

/** A workflow that waits four times for 50 ms, and one that is at work all the time. */
function scene() {
  const opened = openScene({ row: z.object({ n: z.number() }) });
  const { Workflow, Sequence, Timer, Task, outputs, service } = opened.api;
  const waiting = service(() => (
    <Workflow name="waiting">
      <Sequence>
        {[1, 2, 3, 4].map((no) => (
          <Timer key={no} id={`nap-${no}`} duration="50ms" />
        ))}
      </Sequence>
    </Workflow>
  ));
  const end = deferred<{ n: number }>();
  const busy = service(() => (
    <Workflow name="busy">
      <Task id="work" output={outputs.row}>
        {() => end.promise}
      </Task>
    </Workflow>
  ));
  const status = async (runId: string) => (await opened.store.getRun(runId))?.status;
  return { ...opened, waiting, busy, end, status };
}

it("a run that waits is taken up at its time while others are at work, not with the next pass", async () => {
  const { time, store, waiting, busy, end, status, drive } = scene();
  const working = drive(busy, { runId: "busy" });
  await drive(waiting, { runId: "waiting" });
  const stop = new AbortController();
  const supervised = superviseStore(store, {
    clock: time,
    signal: stop.signal,
    maxConcurrent: 10,
    workflowFor: async ({ workflowName }) => (workflowName === "waiting" ? waiting : undefined),
  });
  for (let count = 0; count < 4; count += 1) {
    await vi.waitFor(async () => expect(await status("waiting")).toBe("waiting-timer"), 100_000);
    await time.advance(50);
  }
  await vi.waitFor(async () => expect(await status("waiting")).toBe("finished"), 100_000);
  end.resolve({ n: 1 });
  expect(await working).toMatchObject({ status: "finished" });
  stop.abort();
  await supervised;
  expect(time.nextTimer()).toBeUndefined();
});

it("a host that has begun a run takes it up at its time while others are at work", async () => {
  const { store, waiting, busy, end, status } = scene();
  const host = new HostedRuns({
    // No pass comes by itself while a run is at work.
    intervalMs: 3_600_000,
    workflowFor: async ({ workflowName }) => (workflowName === "waiting" ? waiting : busy),
  });
  onTestFinished(() => host.close());
  host.supervise(store);
  await host.start(busy, { runId: "busy", input: {} });
  await host.start(waiting, { runId: "waiting", input: {} });
  await expect.poll(() => status("waiting")).toBe("finished");
  end.resolve({ n: 1 });
  await expect.poll(() => status("busy")).toBe("finished");
});
