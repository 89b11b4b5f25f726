import { expect, it } from "vitest";
import { createClient } from "../../src/client/node.js";
import { Workspace } from "../cli/support/treadle.js";
import { freePort } from "../support/free-port.js";
import { openPage } from "./support/browser.js";

const ASKS = `import { approvalDecision, createService } from "treadle";
import { z } from "zod";
const { Workflow, Sequence, Task, Approval, service, outputs } = createService({
  decision: approvalDecision,
  output: z.object({ text: z.string() }),
});
export default service(() => (
  <Workflow name="asks">
    <Sequence>
      <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
      <Task id="last" output={outputs.output}>{{ text: "done" }}</Task>
    </Sequence>
  </Workflow>
));
`;

it("a page lives through the death of its gateway's process, with what is half written, and decides when it is back", async () => {
  const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
  const port = String(await freePort());
  const start = async () => {
    const command = workspace.start(["gateway", "--port", port, "--no-auth", "--json"]);
    let said = "";
    command.process.stdout?.on("data", (chunk: string) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain("\n");
    return { command, url: (JSON.parse(said.split("\n")[0] ?? "") as { url: string }).url };
  };
  const first = await start();
  const client = createClient({ url: first.url });
  const { runId } = await client.launchRun({ workflow: "asks" });
  await expect.poll(async () => (await client.getRun({ runId })).status).toBe("waiting-approval");
  const { page, complaints } = await openPage(`${first.url}/console/runs/${runId}`);
  const note = page.getByLabel("Note (optional)");
  await note.fill("half a sen");
  first.command.process.kill("SIGKILL");
  const banner = page.getByText(/The gateway cannot be reached. Stale since/);
  await banner.waitFor();
  expect(await page.getByRole("treeitem", { name: "ok" }).count()).toBe(1);
  await start();
  await banner.waitFor({ state: "detached" });
  expect(await note.inputValue()).toBe("half a sen");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("succeeded").first().waitFor();
  client.close();
  expect(complaints).toEqual([]);
});
