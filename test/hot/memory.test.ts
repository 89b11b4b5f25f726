import { findSourceMap } from "node:module";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { flow, openHotScene, task } from "./support/hot-scene.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("generations that no attempt uses are free again", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  const made: WeakRef<object>[] = [];
  const { __made } = Object.assign(globalThis, { __made: (big: object) => made.push(new WeakRef(big)) });
  expect(__made).toBeDefined();
  await scene.start();
  for (let generation = 1; generation <= 6; generation += 1) {
    const imports = `const big = { generation: ${generation} };\nglobalThis.__made(big);`;
    scene.save("flow.tsx", flow({ imports, after: task("last", "String(big.generation)") }));
    await scene.next("WorkflowReloaded");
  }
  const kept = async () => {
    // Weak references are kept until the present turn of the event loop is over.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return made.filter((ref) => ref.deref() !== undefined).length;
  };
  // The newest one runs; React may still hold the tree of the one before.
  await expect.poll(kept).toBeLessThanOrEqual(2);
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "6" });
});

it("a generation that is in use keeps where its source is", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start();
  scene.save("flow.tsx", flow({ after: task("last", "String(new Error().stack)") }));
  await scene.next("WorkflowReloaded");
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  await scene.finish();
  const { text } = (await scene.row("last")) as { text: string };
  const [, file = ""] = /\((\S+gen-1\.cjs):/.exec(text) ?? [];
  expect(findSourceMap(file)?.payload.sources).toEqual([expect.stringMatching(/\/flow\.tsx$/)]);
});
