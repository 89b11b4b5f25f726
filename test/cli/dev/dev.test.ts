import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/client/node.js";
import { openPage } from "../../console/support/browser.js";
import { Workspace } from "../support/treadle.js";

interface Flow {
  name?: string;
  /** Of the outputs. */
  text?: string;
  /** Before the approval. */
  before?: string;
  last?: string;
  after?: string;
}

/** Waits for a person between two tasks. */
const flow = ({
  name = "flow",
  text = "z.string()",
  before = "",
  last = '"old"',
  after = "",
}: Flow = {}) => `import { existsSync } from "node:fs";
import { createService } from "treadle";
import { z } from "zod";
const { Workflow, Task, Sequence, Approval, service, outputs } = createService({
  input: z.object({ n: z.number().optional() }),
  out: z.object({ text: ${text} }),
  decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  output: z.object({ text: z.string() }),
});
const until = async (file, signal) => {
  while (!existsSync(file) && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 10));
  return { text: file };
};
export default service(() => (
  <Workflow name="${name}">
    <Sequence>
      ${before}
      <Approval id="ok" output={outputs.decision} request={{ title: "Continue?" }} />
      <Task id="last" retries={0} output={outputs.output}>{() => ({ text: ${last} })}</Task>
      ${after}
    </Sequence>
  </Workflow>
));
`;

const HOLD = '<Task id="hold" output={outputs.out}>{(_, { signal }) => until("go", signal)}</Task>';

/** `treadle dev` in a workspace, and a client of its gateway. */
async function developing(files: Readonly<Record<string, string>> = {}) {
  const workspace = new Workspace(files);
  mkdirSync(workspace.path(".service"), { recursive: true });
  const command = workspace.start(["dev", "--port", "0", "--no-open", "--json"]);
  let said = "";
  command.process.stdout?.on("data", (chunk: string) => {
    said += chunk;
  });
  await command.seen('"listening"');
  await expect.poll(() => said).toContain("\n");
  const about = JSON.parse(said.split("\n")[0] ?? "") as { url: string; workflows: string[] };
  const token = readFileSync(workspace.path(`.service/hosts/${new URL(about.url).port}.token`), "utf8");
  const client = createClient({ url: about.url, token });
  onTestFinished(() => client.close());
  const until = (runId: string, status: string) =>
    expect.poll(async () => (await client.getRun({ runId })).status).toBe(status);
  const types = async (runId: string) => {
    const { events } = await client.listEvents({ runId });
    return events.map(({ event }) => event.type);
  };
  return {
    workspace,
    command,
    about,
    token,
    client,
    until,
    types,
    save: (path: string, text: string) => workspace.write(`.service/workflows/${path}`, text),
    listed: async () => {
      const { workflows, broken } = await client.listWorkflows();
      return [workflows.map(({ key }) => key), broken.map(({ key }) => key)];
    },
    output: async (runId: string) => (await client.getNode({ runId, nodeId: "last" })).output,
  };
}

it("has the workflows that the files of the folder give, while they are made, broken, mended, renamed and removed", async () => {
  const { about, client, command, listed, save, workspace, until } = await developing();
  expect(about.workflows).toEqual([]);
  const news = client.changes();
  onTestFinished(() => void news.return());
  expect((await news.next()).value).toMatchObject({ kind: "all" });
  const toBe = (workflows: string[], broken: string[]) => expect.poll(listed).toEqual([workflows, broken]);
  save("asks.tsx", flow());
  // With its database, whose lists nobody has read.
  expect((await news.next()).value).toEqual({ kind: "all", ids: null });
  await toBe(["asks"], []);
  save("texts.ts", 'export const hello = "hello";');
  expect((await news.next()).value).toEqual({ kind: "workflows", ids: ["texts"] });
  const { runId } = await client.launchRun({ workflow: "asks" });
  await until(runId, "waiting-approval");

  // A module that others import, and a file that does not compile, keep nobody else from starting.
  save("torn.tsx", "const secret = 1;\nexport default () => <Workflow name=");
  await toBe(["asks"], ["texts", "torn"]);
  const { broken } = await client.listWorkflows();
  expect(broken).toMatchObject([
    { key: "texts", file: ".service/workflows/texts.ts", isModule: true },
    {
      key: "torn",
      isModule: false,
      isWatched: true,
      error: {
        code: "WORKFLOW_LOAD_FAILED",
        summary: expect.stringContaining("torn.tsx:2:"),
        frame: expect.stringMatching(/^> 2 \| export default/m),
      },
    },
  ]);
  expect((await client.launchRun({ workflow: "asks" })).status).toBe("running");

  // What was saved last counts for new runs, also when it gives nothing.
  save("asks.tsx", flow().replace("</Sequence>", ""));
  await toBe(["asks"], ["asks", "texts", "torn"]);
  await expect(client.launchRun({ workflow: "asks" })).rejects.toMatchObject({
    code: "WORKFLOW_LOAD_FAILED",
    message: expect.stringContaining("asks.tsx"),
  });
  save("asks.tsx", flow());
  save("torn.tsx", flow({ name: "whole" }));
  await toBe(["asks", "torn"], ["texts"]);

  renameSync(workspace.path(".service/workflows/torn.tsx"), workspace.path(".service/workflows/whole.tsx"));
  rmSync(workspace.path(".service/workflows/texts.ts"));
  await toBe(["asks", "whole"], []);
  await client.submitApproval({ runId, nodeId: "ok", approved: true });
  await until(runId, "finished");
  command.process.kill("SIGINT");
  const { code, stderr } = await command.done;
  expect(code).toBe(130);
  expect(stderr).toMatch(/✗ WORKFLOW_LOAD_FAILED .*torn\.tsx[^]*> 2 \| /);
});

it("the settings of the gateway say how workflows are registered, and which files are followed as well", async () => {
  const settings = (more = "") => `export default {
    workflows: {
      asked: {
        workflow: "flows/asks.tsx",
        schedule: "0 6 * * 1",
        webhook: { secret: "correct horse", run: { enabled: true } },
      },
    },
    ${more}
  };`;
  const { client, command, listed, workspace } = await developing({
    "treadle.gateway.ts": settings(),
    "flows/asks.tsx": "export default 1;",
    ".service/workflows/other.tsx": flow({ name: "other" }),
  });
  expect(await listed()).toEqual([["other"], ["asked"]]);
  workspace.write("flows/asks.tsx", flow({ name: "asks" }));
  await expect.poll(listed).toEqual([["asked", "other"], []]);
  const { workflows } = await client.listWorkflows();
  expect(workflows.find(({ key }) => key === "asked")).toMatchObject({
    workflowName: "asks",
    schedule: "0 6 * * 1",
    hasWebhook: true,
  });
  const schedules = async () => (await client.cronList()).schedules.map(({ workflowKey }) => workflowKey);
  await expect.poll(schedules).toEqual(["asked"]);
  workspace.write("treadle.gateway.ts", settings("heartbeatMs: 5_000,"));
  await command.seen('"settings-saved"');
  command.process.kill("SIGINT");
  expect((await command.done).stderr).toMatch(/treadle\.gateway\.ts was saved: end this and start it again/);
});

it("a save reaches the run that is at work, the one that waits, and the ones that begin after it", async () => {
  const { client, save, until, types, output, workspace } = await developing({
    ".service/workflows/held.tsx": flow({ before: HOLD }),
    ".service/workflows/asks.tsx": flow(),
  });
  const held = await client.launchRun({ workflow: "held" });
  const asks = await client.launchRun({ workflow: "asks" });
  await until(asks.runId, "waiting-approval");
  save("held.tsx", flow({ before: HOLD, last: '"new"' }));
  save("asks.tsx", flow({ last: '"new"' }));
  const reloaded = (runId: string, times: number) =>
    expect
      .poll(async () => (await types(runId)).filter((type) => type === "WorkflowReloaded").length)
      .toBe(times);
  await reloaded(held.runId, 1);
  await reloaded(asks.runId, 1);
  workspace.write("go", "");
  await until(held.runId, "waiting-approval");

  // Code that does not compile changes nothing of a run; what mends it does.
  save("asks.tsx", "export default (");
  await expect.poll(() => types(asks.runId)).toContain("WorkflowReloadFailed");
  save("asks.tsx", flow({ last: '"newest"' }));
  await reloaded(asks.runId, 2);
  for (const { runId } of [held, asks]) {
    await client.submitApproval({ runId, nodeId: "ok", approved: true });
    await until(runId, "finished");
  }
  expect([await output(held.runId), await output(asks.runId)]).toMatchObject([
    { text: "new" },
    { text: "newest" },
  ]);

  const later = await client.launchRun({ workflow: "asks" });
  await until(later.runId, "waiting-approval");
  expect(await types(later.runId)).not.toContain("WorkflowReloaded");
  // A table that changes is for the runs that begin with it.
  save("asks.tsx", flow({ text: "z.string().min(1)", last: '"other"' }));
  await expect.poll(() => types(later.runId)).toContain("WorkflowReloadUnsafe");
  const other = await client.launchRun({ workflow: "asks" });
  await until(other.runId, "waiting-approval");
  for (const { runId } of [later, other]) {
    await client.submitApproval({ runId, nodeId: "ok", approved: true });
    await until(runId, "finished");
  }
  expect([await output(later.runId), await output(other.runId)]).toMatchObject([
    { text: "newest" },
    { text: "other" },
  ]);
});

it("a run that has failed continues with the save that mends it, also one that the shell has started", async () => {
  const fails = '(() => { throw new TypeError("no text"); })()';
  const { client, save, until, output, workspace } = await developing({
    ".service/workflows/asks.tsx": flow({ last: fails }),
  });
  const { runId } = await client.launchRun({ workflow: "asks" });
  await until(runId, "waiting-approval");
  const shell = await workspace.treadle(["up", "asks", "--run-id", "shell", "--no-wait"]);
  expect(shell.code).toBe(3);
  for (const id of [runId, "shell"]) {
    await client.submitApproval({ runId: id, nodeId: "ok", approved: true });
    await until(id, "failed");
  }
  save("asks.tsx", flow({ last: '"mended"' }));
  await expect
    .poll(async () => {
      await client.resumeRun({ runId });
      await client.resumeRun({ runId: "shell" });
      return [(await client.getRun({ runId })).status, (await client.getRun({ runId: "shell" })).status];
    })
    .toEqual(["finished", "finished"]);
  expect([await output(runId), await output("shell")]).toMatchObject([
    { text: "mended" },
    { text: "mended" },
  ]);
});

it("the page shows what is wrong with a save, with the lines of code, until the save that mends it", async () => {
  const { about, token, save } = await developing({ ".service/workflows/asks.tsx": flow() });
  const { page, complaints } = await openPage(`${about.url}/console#token=${token}`);
  await page.getByText("No runs").or(page.getByText("No run")).first().waitFor();
  save("asks.tsx", flow().replace("</Sequence>", ""));
  const error = page.getByRole("alert", { name: "Error in .service/workflows/asks.tsx" });
  await error.waitFor();
  expect(await error.textContent()).toContain("WORKFLOW_LOAD_FAILED");
  expect(await error.locator("pre").textContent()).toMatch(/> \d+ \|.*<\/Workflow>/);
  save("asks.tsx", flow());
  await error.waitFor({ state: "detached" });

  // The launch form follows the file as well.
  await page.getByRole("link", { name: "Workflows", exact: true }).click();
  await page.getByRole("link", { name: "Start…" }).click();
  await page.getByLabel(/^n/).waitFor();
  save("asks.tsx", flow().replace("n: z.number()", "topic: z.string()"));
  await page.getByLabel(/^topic/).fill("looms");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/\/console\/runs\//);
  expect(complaints).toEqual([]);
});

it("says of a folder without workflows where it looks, and how those of this folder are served", async () => {
  const workspace = new Workspace({ "here.tsx": flow() });
  mkdirSync(workspace.path(".service"), { recursive: true });
  const command = workspace.start(["dev", "--port", "0", "--no-open"]);
  await command.seen("No workflow file is in .service/workflows");
  await command.seen("treadle dev .` serves those of this folder.");
});
