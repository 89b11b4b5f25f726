import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { doubling } from "./support/workflows.js";

it("launchRun takes no id that a schedule, a webhook or an idempotency key may want", async () => {
  const folder = temporaryFolder();
  const { call, rpc } = await openGateway((gateway) => gateway.register("real", doubling(folder)), {
    folder,
  });
  const launch = { workflow: "real", input: { n: 1 } };
  const { runId: ofKey } = await call<{ runId: string }>("launchRun", { ...launch, idempotencyKey: "k" });
  for (const runId of ["cron:gateway:real:2026-05-04T09:00:00.000Z", "webhook:real:x", ofKey]) {
    const { status, body } = await rpc("launchRun", { ...launch, runId });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "INVALID_INPUT" } } });
  }
});
