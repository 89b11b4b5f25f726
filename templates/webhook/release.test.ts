import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import release from "./release.js";

test("announces a release with its notes", async () => {
  const { output } = await testWorkflow(release, { input: { version: "2.1", notes: ["Faster."] } }).run();
  assert.deepEqual(output, { version: "2.1", announced: "# 2.1\n- Faster." });
});

test("the gateway starts for nobody without a secret", async () => {
  process.env.WEBHOOK_SECRET = "";
  await assert.rejects(import("./treadle.gateway.js"), /WEBHOOK_SECRET/);
  process.env.WEBHOOK_SECRET = "correct-horse";
  const again = "./treadle.gateway.js?with-secret";
  const { default: config } = (await import(again)) as typeof import("./treadle.gateway.js");
  assert.equal(config.workflows.release.webhook.secret, "correct-horse");
});
