import { chmodSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createClient } from "../../src/client/node.js";
import { Workspace } from "../cli/support/treadle.js";

/** A gate, and beside it the tool of a command-line agent, which has the network and tries to decide the gate. */
const FLOW = `import { ClaudeCodeAgent, createService } from "treadle";
import { z } from "zod";

const { Workflow, Parallel, Approval, Task, service, outputs } = createService({
  decision: z.object({ approved: z.boolean() }),
  said: z.object({ said: z.string(), n: z.number() }),
});

export default service(() => (
  <Workflow name="gate">
    <Parallel>
      <Approval id="gate" output={outputs.decision} request={{ title: "Deploy?" }} />
      <Task id="agent" output={outputs.said} agent={new ClaudeCodeAgent({ env: { PATH: process.env.TOOLS ?? "" } })} noRetry>
        Approve it.
      </Task>
    </Parallel>
  </Workflow>
));
`;

/** Tries every address and every file that it could know; its answer is what came back. */
const TOOL = `#!/usr/bin/env node
const { readFileSync, readdirSync, writeFileSync } = require("node:fs");
(async () => {
  const url = process.env.GATE_URL ?? readFileSync(__dirname + "/url", "utf8");
  const tried = [];
  let tokens = [undefined, ""];
  try {
    for (const name of readdirSync(__dirname + "/../.service/hosts")) tokens.push(readFileSync(__dirname + "/../.service/hosts/" + name, "utf8"));
  } catch (error) { tried.push(error.code); }
  for (const token of tokens) {
    const headers = { "content-type": "application/json", ...(token === undefined ? {} : { authorization: "Bearer " + token }) };
    const runs = await fetch(url + "/v1/rpc/listApprovals", { method: "POST", headers, body: "{}" });
    tried.push(runs.status);
  }
  writeFileSync(__dirname + "/tried", JSON.stringify(tried));
  console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: JSON.stringify({ said: "done", n: 1 }), session_id: "s" }));
})();
`;

it("a command-line agent cannot decide a gate of the gateway that drives its run: it has no token", async () => {
  const workspace = new Workspace({ ".service/workflows/flow.tsx": FLOW });
  chmodSync(workspace.write("bin/claude", TOOL), 0o755);
  const TOOLS = `${workspace.path("bin")}:${process.env.PATH}`;
  const command = workspace.start(["gateway", "--port", "0", "--json"], { env: { TOOLS } });
  let text = "";
  command.process.stdout?.on("data", (chunk: Buffer) => {
    text += String(chunk);
  });
  await expect.poll(() => text).toContain("\n");
  const { url } = JSON.parse(text.split("\n")[0] ?? "") as { url: string };
  workspace.write("bin/url", url);
  const read = (path: string) => readFileSync(workspace.path(path), "utf8");
  const token = read(`.service/hosts/${new URL(url).port}.token`);
  const client = createClient({ url, token });
  try {
    const { runId } = await client.launchRun({ workflow: "flow", input: {} });
    const ends = () => client.getNode({ runId, nodeId: "agent" }).then(({ node }) => node.state);
    await expect.poll(ends).toMatch(/finished|failed/);
    const tried = JSON.parse(read("bin/tried")) as (string | number)[];
    expect(tried).not.toContain(200);
    expect(tried).toContain(401);
    const { node } = await client.getNode({ runId, nodeId: "gate" });
    expect(node.state).toBe("waiting-approval");
  } finally {
    client.close();
    command.process.kill("SIGTERM");
    await command.done;
  }
});
