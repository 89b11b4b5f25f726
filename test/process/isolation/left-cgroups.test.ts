import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { processCgroup } from "../../../src/process/isolation/process-cgroup.js";
import { newId } from "../../../src/util/ids.js";
import { engineRunning } from "../../tools/support/engine.js";
import { isIsolationPermitted } from "../../tools/support/isolation.js";
import { eventually, processesWith } from "../../tools/support/processes.js";

const trial = await processCgroup(newId(), 10);
await trial?.remove();

beforeEach((context) => {
  context.skip(trial === undefined, "This host has no pids cgroup that the tests may write to.");
});

async function made() {
  const cgroup = await processCgroup(newId(), 10);
  if (cgroup === undefined) throw new Error("The cgroup of the trial could be made, this one could not.");
  return { ...cgroup, folder: dirname(cgroup.entrance) };
}

it("the cgroup of a call is gone after it", async () => {
  const { folder, remove } = await made();
  expect(await readFile(join(folder, "pids.max"), "utf8")).toBe("10\n");
  await remove();
  expect(existsSync(folder)).toBe(false);
});

it("a call removes what has been left empty, and not what another call is about to enter", async () => {
  const [left, fresh] = [await made(), await made()];
  await utimes(left.folder, 0, 0);
  const next = await made();
  expect([left, fresh, next].map(({ folder }) => existsSync(folder))).toEqual([false, true, true]);
  await Promise.all([fresh.remove(), next.remove()]);
});

it("an engine that is killed leaves an empty cgroup, and a running command keeps its own", async (context) => {
  context.skip(!isIsolationPermitted, "This host confines no commands.");
  const marker = `marker-${newId()}`;
  const engine = await engineRunning("sleep 600", { allowNetwork: false, marker });
  const cgroups = async () => {
    const pids = (await processesWith(marker)).filter((pid) => pid !== engine.pid);
    const files = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cgroup`, "utf8").catch(() => "")),
    );
    return files.flatMap((file) => /\/(treadle-\S+)$/m.exec(file)?.[1] ?? []);
  };
  await eventually(async () => (await cgroups()).length > 0, 100_000);
  const other = await made();
  const folder = join(dirname(other.folder), String((await cgroups())[0]));
  await utimes(folder, 0, 0);
  await (await made()).remove();
  expect(existsSync(folder)).toBe(true);
  engine.kill("SIGKILL");
  await once(engine, "exit");
  await eventually(async () => (await processesWith(marker)).length === 0, 100_000);
  await eventually(async () => {
    await (await made()).remove();
    return !existsSync(folder);
  }, 100_000);
  await other.remove();
});
