import { flow, openHotScene, task } from "./support/hot-scene.js";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { CodeUpdate } from "../../src/engine/ports.js";
import { HotReload } from "../../src/hot/hot-reload.js";
import { resolveHotOptions } from "../../src/hot/options.js";
import { VirtualClock } from "../../src/testing/virtual-clock.js";
import { deferred } from "../../src/util/deferred.js";

const WAITING = flow({ imports: "globalThis.__load.began(); await globalThis.__load.promise;" });

async function watched() {
  const { folder, workflow, save } = await openHotScene({ "flow.tsx": flow() });
  const clock = new VirtualClock();
  const options = resolveHotOptions({ debounceMs: 5 }, folder);
  const hot = await HotReload.open(workflow, join(folder, "flow.tsx"), { ...options, clock });
  const load = deferred<void>();
  const began = deferred<void>();
  Object.assign(globalThis, { __load: { promise: load.promise, began: () => began.resolve() } });
  onTestFinished(() => hot.close());
  const updates: CodeUpdate[] = [];
  const next = () => {
    const found = deferred<CodeUpdate>();
    const stop = hot.onNews(() => {
      updates.push(...hot.take());
      const update = updates.find(({ type }) => type !== "detected");
      if (update === undefined) return;
      updates.splice(0, updates.indexOf(update) + 1);
      found.resolve(update);
    });
    return found.promise.finally(() => stop());
  };
  save("flow.tsx", WAITING);
  await began.promise;
  return { clock, next, load, save };
}

it("code that takes its time to load is reported after ten seconds, and counts once it is there", async () => {
  const { clock, next, load } = await watched();
  clock.moveTo(clock.now() + 9_999);
  const reported = next();
  clock.moveTo(clock.now() + 1);
  expect(await reported).toMatchObject({
    type: "failed",
    changedFiles: ["flow.tsx"],
    error: { code: "WORKFLOW_LOAD_UNFINISHED", details: { path: "flow.tsx", afterMs: 10_000 } },
  });
  load.resolve();
  expect(await next()).toMatchObject({ type: "loaded", changedFiles: ["flow.tsx"] });
});

it("code that fails in the end is reported with its own error", async () => {
  const { clock, next, load } = await watched();
  clock.moveTo(clock.now() + 10_000);
  expect(await next()).toMatchObject({ error: { code: "WORKFLOW_LOAD_UNFINISHED" } });
  load.reject(new TypeError("no answer"));
  expect(await next()).toMatchObject({
    type: "failed",
    error: { code: "WORKFLOW_LOAD_FAILED", summary: expect.stringContaining("TypeError: no answer") },
  });
});

it("a later save overtakes it, and what it comes to then is dropped", async () => {
  const { clock, next, load, save } = await watched();
  clock.moveTo(clock.now() + 10_000);
  await next();
  save("flow.tsx", flow({ after: task("last", '"x"') }));
  expect(await next()).toMatchObject({ type: "loaded", generation: 2 });
  load.resolve();
  clock.moveTo(clock.now() + 60_000);
  save("flow.tsx", flow({ after: task("last", '"y"') }));
  expect(await next()).toMatchObject({ type: "loaded", generation: 3 });
});
