import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { expect, it } from "vitest";
import { createService, type ServiceWorkflow } from "../../../../src/index.js";
import { openGateway } from "../support/gateway.js";

const PAGE = new URL("../../../../docs/gateway.md", import.meta.url);

/** The shell commands that sign a body with openssl, as they stand on the page. */
function documentedCommands(): string {
  const blocks = [...readFileSync(PAGE, "utf8").matchAll(/^```sh\n(.*?)^```/gms)].map(
    ([, code]) => code ?? "",
  );
  return blocks.find((code) => code.includes("openssl")) ?? "";
}

function deploying(folder: string): ServiceWorkflow {
  const { Workflow, Task, service, outputs } = createService(
    { input: z.object({ version: z.string() }), output: z.object({ version: z.string() }) },
    { dbPath: join(folder, "service.db") },
  );
  return service((ctx) => (
    <Workflow name="deploy">
      <Task id="deploy" output={outputs.output}>
        {() => ({ version: ctx.input.version })}
      </Task>
    </Workflow>
  )) as unknown as ServiceWorkflow;
}

it("the commands of the documentation, openssl and curl, start a run", async () => {
  const secret = "It's a secret to everybody";
  const gateway = await openGateway((gateway, folder) =>
    gateway.register("deploy", deploying(folder), {
      webhook: { secret, run: { enabled: true, inputPath: "$.release" } },
    }),
  );
  const commands = documentedCommands().replace("localhost:7331", new URL(gateway.url).host);
  const shell = spawn("sh", ["-c", commands], { stdio: ["ignore", "pipe", "ignore"] });
  const answer = JSON.parse(await text(shell.stdout)) as { started: { runId: string } };
  expect(answer).toMatchObject({ ok: true, deliveryId: "release-2.2", duplicate: false });
  await gateway.until(answer.started.runId, "finished");
  const node = await gateway.call("getNode", { runId: answer.started.runId, nodeId: "deploy" });
  expect(node).toMatchObject({ output: { version: "2.2" } });
});
