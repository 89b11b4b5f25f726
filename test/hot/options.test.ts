import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { flow, openHotScene, runWorkflow, task } from "./support/hot-scene.js";

describe("an option of hot reload that is wrong is refused, and nothing is written", () => {
  it.each([
    ["hot", "yes"],
    ["hot", 1],
    ["hot.debounceMs", { debounceMs: -1 }],
    ["hot.debounceMs", { debounceMs: "100" }],
    ["hot.maxGenerations", { maxGenerations: 0 }],
    ["hot.cancelUnmounted", { cancelUnmounted: "no" }],
    ["hot.outDir", { outDir: "" }],
    ["hot.rootDir", { rootDir: 3 }],
    ["hot.debounce", { debounce: 3 }],
  ])("%s: %j", async (option, hot) => {
    const scene = await openHotScene({ "flow.tsx": flow() });
    const workflowPath = join(scene.folder, "flow.tsx");
    const running = runWorkflow(scene.workflow, { runId: "run", workflowPath, hot: hot as never });
    await expect(running).rejects.toMatchObject({ code: "INVALID_INPUT", details: { option } });
    expect(existsSync(join(scene.folder, ".service"))).toBe(false);
  });

  it("an outDir that cannot be written", async () => {
    const scene = await openHotScene({ "flow.tsx": flow() });
    writeFileSync(join(scene.folder, "taken"), "");
    const running = runWorkflow(scene.workflow, {
      workflowPath: join(scene.folder, "flow.tsx"),
      rootDir: scene.folder,
      hot: { outDir: "taken" },
    });
    await expect(running).rejects.toMatchObject({ code: "HOT_OVERLAY_FAILED" });
  });
});

/** Files below a folder. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".cjs"));

it("the newest generations stand in outDir while the run continues, and nothing does after it", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start({ maxGenerations: 2, outDir: "build/hot" });
  for (const text of ["one", "two", "three"]) {
    scene.save("flow.tsx", flow({ after: task("last", `"${text}"`) }));
    await scene.next("WorkflowReloaded");
  }
  const names = filesIn(join(scene.folder, "build/hot")).map((name) => name.split("/").at(-1));
  expect(names.sort()).toEqual(["gen-2.cjs", "gen-3.cjs"]);
  await scene.finish();
  expect(existsSync(join(scene.folder, "build"))).toBe(false);
});

it("changes within debounceMs count as one, and files that say the same as none", async () => {
  const scene = await openHotScene({ "flow.tsx": flow() });
  await scene.start({ debounceMs: 150 });
  for (let n = 1; n <= 10; n += 1) {
    scene.save("flow.tsx", flow({ after: task("last", `"save ${n}"`) }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await scene.next("WorkflowReloaded");
  // The same text again, and again something else: only that is news.
  scene.save("flow.tsx", flow({ after: task("last", '"save 10"') }));
  scene.save("flow.tsx", flow({ after: task("last", '"other"') }));
  const { generation } = await scene.next("WorkflowReloaded");
  expect(generation).toBeLessThanOrEqual(4);
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: "other" });
});

it("500 files that are touched at once are no change", async () => {
  const names = Array.from({ length: 500 }, (_, n) => `part-${n}.ts`);
  const files = Object.fromEntries(names.map((name, n) => [name, `export const n${n} = ${n};`]));
  const imports = names.map((name, n) => `import { n${n} } from "./${name}";`).join("\n");
  const sum = names.map((_, n) => `n${n}`).join(" + ");
  const entry = flow({ imports, after: task("last", `String(${sum})`) });
  const scene = await openHotScene({ ...files, "flow.tsx": entry });
  await scene.start();
  for (const [name, text] of Object.entries(files)) scene.save(name, text);
  scene.save("part-7.ts", "export const n7 = 8;");
  await scene.next("WorkflowReloaded");
  expect(scene.all("WorkflowReloaded")).toHaveLength(1);
  await scene.finish();
  expect(await scene.row("last")).toEqual({ text: String((499 * 500) / 2 + 1) });
});

it("what a killed process has left in outDir is removed, what one on another machine has is not", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const [dead, elsewhere] = [`${hostname()}~${pid}~a`, `another-${hostname()}~${pid}~a`];
  const scene = await openHotScene({
    "flow.tsx": flow(),
    [`.service/hmr/${dead}/gen-1.cjs`]: "",
    [`.service/hmr/${elsewhere}/gen-1.cjs`]: "",
  });
  await scene.start();
  const names = readdirSync(join(scene.folder, ".service/hmr"));
  expect(names).toContain(elsewhere);
  expect(names).not.toContain(dead);
  await scene.finish();
});
