import assert from "node:assert/strict";
import { test } from "node:test";
import { testWorkflow } from "treadle/testing";
import deploy from "./deploy.js";

test("publishes what a person has approved", async () => {
  const run = testWorkflow(deploy, { input: { version: "2.1" } });
  assert.equal((await run.run()).status, "waiting-approval");
  const { output } = await run.approve("ship", { decidedBy: "ada" });
  assert.deepEqual(output, { published: "2.1" });
});

test("publishes nothing that was denied", async () => {
  const run = testWorkflow(deploy, { input: { version: "2.1" } });
  await run.run();
  const { status } = await run.deny("ship", { decidedBy: "ada" });
  assert.equal(status, "failed");
});

test("the gateway lets in who sends the token of the environment, and starts for nobody without one", async () => {
  process.env.GATEWAY_TOKEN = "";
  await assert.rejects(import("./treadle.gateway.js"), /GATEWAY_TOKEN/);
  process.env.GATEWAY_TOKEN = "correct-horse";
  const again = "./treadle.gateway.js?with-token";
  const { default: config } = (await import(again)) as typeof import("./treadle.gateway.js");
  assert.deepEqual(Object.keys(config.auth.tokens), ["correct-horse"]);
});
