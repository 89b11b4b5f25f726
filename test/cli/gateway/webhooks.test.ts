import { join } from "node:path";
import { expect, it } from "vitest";
import { openGateway } from "../../hosts/gateway/support/gateway.js";
import { noting, post, SECRET } from "../../hosts/gateway/webhooks/support/hooks.js";
import { callIn } from "../support/in-process.js";

interface Listed {
  deliveries: { deliveryKey: string; state: string }[];
  refused: { code: string }[];
}

it("what came to a webhook is the same at a gateway and in its database, and one is replayed at the gateway", async () => {
  const gateway = await openGateway((gateway, folder) => {
    gateway.register("note", noting(folder), { webhook: { secret: SECRET, run: { enabled: true } } });
  });
  const { url, folder } = gateway;
  const at = (...argv: string[]) => callIn(folder, ["webhooks", ...argv, "--gateway", url]);
  const here = (...argv: string[]) =>
    callIn(folder, ["webhooks", ...argv, "--db", join(folder, "service.db")]);
  expect((await at("list", "note")).stdout).toContain("Nothing has come yet.");
  await post(gateway, "note", { body: { n: 1 }, headers: { "x-delivery-id": "d1" } });
  await post(gateway, "note", { body: { n: 2 }, headers: { "x-hub-signature-256": "sha256=00" } });
  const listed = JSON.parse((await at("list", "note", "--json")).stdout) as Listed;
  expect(listed).toMatchObject({
    deliveries: [{ deliveryKey: "id:d1", state: "done" }],
    refused: [{ code: "WEBHOOK_SIGNATURE_INVALID" }],
  });
  expect(JSON.parse((await here("list", "note.tsx", "--json")).stdout)).toEqual(listed);
  const { stdout } = await here("list", "note");
  expect(stdout).toMatch(/id:d1 +\S+ +done +run \w+/);
  expect(stdout).toContain("WEBHOOK_SIGNATURE_INVALID");

  const tried = await at("replay", "note", "d1", "--dry-run", "--json");
  expect(JSON.parse(tried.stdout)).toMatchObject({ dryRun: true, started: { runId: expect.any(String) } });
  const replay = () => at("replay", "note", "id:d1", "--replay-id", "again");
  const first = await replay();
  expect({ code: first.code, stdout: first.stdout.trim() }).toEqual({ code: 0, stdout: "replay:again" });
  expect((await replay()).stderr).toContain("it was replayed before");
  const { runs } = await gateway.call<{ runs: unknown[] }>("listRuns");
  expect(runs).toHaveLength(2);

  expect(await at("replay", "note", "d9")).toMatchObject({
    stderr: expect.stringContaining("WEBHOOK_DELIVERY_NOT_FOUND"),
  });
  expect(await here("replay", "note", "d1")).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("--gateway"),
  });
  expect(await at("list", "nothing")).toMatchObject({
    stderr: expect.stringContaining("WORKFLOW_NOT_FOUND"),
  });
});
