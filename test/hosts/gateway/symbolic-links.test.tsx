import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { VirtualClock } from "../../../src/testing/virtual-clock.js";
import { counting } from "./cron/support/workflows.js";
import { doubling } from "./support/workflows.js";

it("a database that is reached by a symbolic link as well is opened once", async () => {
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), "workspace");
  symlinkSync(folder, link);
  const register: Parameters<typeof openGateway>[0] = (gateway) =>
    gateway.register("real", doubling(folder)).register("linked", doubling(link, { name: "linked" }));
  const first = await openGateway(register, { folder: link });
  for (const workflow of ["real", "linked"]) {
    const { runId } = await first.call<{ runId: string }>("launchRun", { workflow, input: { n: 1 } });
    await first.until(runId, "finished");
  }
  await first.gateway.close();
  // The file is there from the beginning now, as the workspace's own too.
  const second = await openGateway((gateway) => gateway.register("real", doubling(folder)), { folder: link });
  expect(second.gateway.describe().databases).toHaveLength(1);
  expect((await second.call<{ runs: unknown[] }>("listRuns")).runs).toHaveLength(2);
});

it("a workflow whose database another one reaches by a symbolic link is started by its schedule", async () => {
  const clock = new VirtualClock(Date.parse("2026-05-04T08:30:00Z"));
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), "workspace");
  symlinkSync(folder, link);
  const gateway = await openGateway(
    (host) =>
      host.register("real", doubling(folder)).register("linked", counting(link), { schedule: "0 * * * *" }),
    { folder, clock },
  );
  clock.moveTo(Date.parse("2026-05-04T09:00:00Z"));
  await gateway.until("cron:gateway:linked:2026-05-04T09:00:00.000Z", "finished");
});
