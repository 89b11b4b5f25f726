import { join } from "node:path";
import { expect, it } from "vitest";
import { holdLock } from "../../store/support/lock-holder.js";
import { openGateway } from "./support/gateway.js";
import { asking } from "./support/workflows.js";

it("a gateway reads on while its writes wait for another process's lock, and makes them when that is gone", async () => {
  let path = "";
  const { call, until } = await openGateway((gateway, folder) => {
    path = join(folder, "service.db");
    gateway.register("ask", asking(folder));
  });
  const { runId } = await call<{ runId: string }>("launchRun", { workflow: "ask" });
  await until(runId, "waiting-approval");

  const lock = await holdLock(path);
  let isDecided = false;
  const deciding = call("submitApproval", { runId, nodeId: "gate", iteration: 0, approved: true }).then(
    () => {
      isDecided = true;
    },
  );
  const launching = call<{ runId: string }>("launchRun", { workflow: "ask" });
  for (let reads = 0; reads < 20; reads += 1) {
    expect(await call("getRun", { runId })).toMatchObject({ status: "waiting-approval" });
  }
  expect(isDecided).toBe(false);
  await lock.release();
  await deciding;
  await until(runId, "waiting-event");
  await until((await launching).runId, "waiting-approval");
});
