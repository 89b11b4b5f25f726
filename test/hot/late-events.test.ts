import { EventEmitter } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { CodeUpdate } from "../../src/engine/ports.js";
import { HotReload } from "../../src/hot/hot-reload.js";
import { resolveHotOptions } from "../../src/hot/options.js";
import { VirtualClock } from "../../src/testing/virtual-clock.js";
import { flow, openHotScene, task } from "./support/hot-scene.js";

/** A file system whose events come when the test says so. */
class Events extends EventEmitter {
  add(): void {}
  unwatch(): void {}
  async close(): Promise<void> {}
}

const { watchers } = vi.hoisted(() => ({ watchers: [] as unknown[] }));
vi.mock("chokidar", () => ({
  watch() {
    const events = new Events();
    watchers.push(events);
    setImmediate(() => events.emit("ready"));
    return events;
  },
}));

const importing = (name: string) =>
  flow({ imports: `import { ${name} } from "./${name}.ts";`, after: task("last", name) });

async function watched(files: Readonly<Record<string, string>>) {
  const { folder, workflow, save, load } = await openHotScene(files);
  const options = { ...resolveHotOptions({ debounceMs: 5 }, folder), clock: new VirtualClock() };
  const hot = await HotReload.open(workflow, join(folder, "flow.tsx"), options);
  onTestFinished(() => hot.close());
  const outcomes: CodeUpdate[] = [];
  hot.onNews(() => outcomes.push(...hot.take().filter(({ type }) => type !== "detected")));
  return {
    save,
    load,
    remove: (name: string) => rmSync(join(folder, name)),
    tell: (event: "add" | "change" | "unlink", name: string) =>
      (watchers.at(-1) as Events).emit("all", event, join(folder, name)),
    /** Waits until every event so far was handled. */
    async outcomes(count: number) {
      await vi.waitFor(() => expect(outcomes.length).toBeGreaterThanOrEqual(count), { timeout: 100_000 });
      return outcomes.map(({ type, changedFiles }) => ({ type, changedFiles }));
    },
  };
}

it("of files that were changed at once all are named, though only one was reported in time", async () => {
  const { save, remove, tell, outcomes } = await watched({
    "flow.tsx": importing("one"),
    "one.ts": 'export const one = "one";',
  });
  save("two.ts", 'export const two = "two";');
  save("flow.tsx", importing("two"));
  remove("one.ts");
  tell("unlink", "one.ts");
  expect(await outcomes(1)).toEqual([{ type: "loaded", changedFiles: ["flow.tsx", "one.ts"] }]);
});

it("an event that comes after its file was read is no second failure of the same code", async () => {
  const { save, load, tell, outcomes } = await watched({ "flow.tsx": flow() });
  save("two.ts", 'throw new TypeError("not yet");\nexport const two = "two";');
  save("flow.tsx", importing("two"));
  tell("change", "flow.tsx");
  await outcomes(1);
  tell("add", "two.ts");
  tell("change", "flow.tsx");
  // A second look has ended before this has twice.
  for (const _ of [1, 2]) await load().catch(() => {});
  save("two.ts", 'export const two = "two";');
  tell("change", "two.ts");
  expect((await outcomes(2)).map(({ type }) => type)).toEqual(["failed", "loaded"]);
});

it("a file that is saved again as it was is tried again after a failure", async () => {
  const { save, tell, outcomes } = await watched({ "flow.tsx": flow() });
  const broken = flow({ imports: 'throw new TypeError("not today");' });
  for (const count of [1, 2]) {
    save("flow.tsx", broken);
    tell("change", "flow.tsx");
    await outcomes(count);
  }
  expect((await outcomes(2)).map(({ type }) => type)).toEqual(["failed", "failed"]);
});

it("the settings of the compiler count as the code does, from where they first appear", async () => {
  const decorated = "const marked = (_: unknown, __?: unknown): any => {}; @marked class A {} void A;";
  const { save, tell, outcomes } = await watched({
    "package.json": "{}",
    "flow.tsx": flow({ imports: decorated }),
  });
  save("tsconfig.json", '{ "extends": "./base" }');
  save("base.json", '{ "compilerOptions": { "experimentalDecorators": true } }');
  tell("add", "tsconfig.json");
  expect(await outcomes(1)).toEqual([{ type: "loaded", changedFiles: ["tsconfig.json"] }]);
  save("base.json", "{}");
  tell("change", "base.json");
  expect((await outcomes(2)).at(-1)).toEqual({ type: "loaded", changedFiles: ["base.json"] });
});
