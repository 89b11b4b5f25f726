import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { slotLimiterOf } from "../../../src/engine/slots/slot-limiter.js";
import { openScene } from "../../support/engine/scene.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

it("runs of one file share one limiter, by any path to it, and those in memory have one each", async () => {
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), "workspace");
  symlinkSync(folder, link);
  const storeAt = async (dbPath: string) => {
    const { store } = openScene({}, { dbPath });
    await store.prepare();
    return store;
  };
  const desk = slotLimiterOf(await storeAt(join(folder, "service.db")));
  expect(slotLimiterOf(await storeAt(join(link, "service.db")))).toBe(desk);
  expect(slotLimiterOf(await storeAt(":memory:"))).not.toBe(slotLimiterOf(await storeAt(":memory:")));
});
