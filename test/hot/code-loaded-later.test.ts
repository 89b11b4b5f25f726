import { expect, it, vi } from "vitest";
import { deferred } from "../../src/util/deferred.js";
import { flow, openHotScene, task } from "./support/hot-scene.js";

const PARTS = `import { lazy, Suspense } from "react";
const Later = lazy(() => globalThis.__later.promise.then(() => ({ default: Step })));
const Drawn = () => {
  globalThis.__drawn = (globalThis.__drawn ?? 0) + 1;
  return null;
};
const Step = () => <Task id="later" output={outputs.out}>{() => ({ text: "new" })}</Task>;
`;
const LATE = flow({ imports: PARTS, after: "<Drawn /><Suspense><Later /></Suspense>" });

const counts = globalThis as { __drawn?: number };
const drawn = () => counts.__drawn ?? 0;

/** A save whose code is rendered once already, and waits for its component. */
async function savedWhileHeld() {
  const later = deferred<void>();
  Object.assign(globalThis, { __later: later, __drawn: 0 });
  const scene = await openHotScene({ "flow.tsx": flow({ after: task("last", '"old"') }) });
  await scene.start();
  scene.save("flow.tsx", LATE);
  await scene.next("WorkflowReloadDetected");
  // A later save would come instead of one that nothing was loaded of.
  await vi.waitFor(() => expect(drawn()).toBeGreaterThan(0), { timeout: 100_000 });
  return { ...scene, later };
}

it("a save with a component that is loaded later counts once that is there", async () => {
  const { later, next, finish, row, all } = await savedWhileHeld();
  later.resolve();
  await next("WorkflowReloaded");
  expect((await finish()).status).toBe("finished");
  expect(await row("later")).toEqual({ text: "new" });
  expect(all("WorkflowReloadFailed")).toEqual([]);
});

it("a later save comes instead of one that is still being loaded", async () => {
  const { save, next, finish, row, all } = await savedWhileHeld();
  save("flow.tsx", flow({ after: task("last", '"newer"') }));
  await next("WorkflowReloaded");
  expect((await finish()).status).toBe("finished");
  expect(await row("last")).toEqual({ text: "newer" });
  expect(all("WorkflowReloaded")).toHaveLength(1);
  expect(all("WorkflowReloadFailed")).toEqual([]);
});

it("a run that ends while a save is still being loaded ends with the code that it has", async () => {
  const { finish, row, all } = await savedWhileHeld();
  expect((await finish()).status).toBe("finished");
  expect(await row("last")).toEqual({ text: "old" });
  expect(all("WorkflowReloaded")).toEqual([]);
});

it("a save that is still being loaded is tried again when it is there, or with the next save, and not over and over", async () => {
  const { save, later, next, finish, row } = await savedWhileHeld();
  save("flow.tsx", "const broken =");
  await next("WorkflowReloadFailed");
  const before = drawn();
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(drawn() - before).toBeLessThanOrEqual(1);
  later.resolve();
  await next("WorkflowReloaded");
  expect((await finish()).status).toBe("finished");
  expect(await row("later")).toEqual({ text: "new" });
});
