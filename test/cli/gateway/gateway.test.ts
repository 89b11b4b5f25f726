import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/client/node.js";
import { ASKS } from "../../hosts/support/workflows.js";
import { type RunningCommand, Workspace } from "../support/treadle.js";

interface Listening {
  url: string;
  auth: string | null;
  workflows: string[];
  databases: string[];
  pages: { path: string }[];
}

/** A gateway of a workspace at a free port, and what it says about itself. */
async function started(workspace: Workspace, args: readonly string[] = [], env: Record<string, string> = {}) {
  const command = workspace.start(["gateway", "--port", "0", "--json", ...args], { env });
  let text = "";
  command.process.stdout?.on("data", (chunk: Buffer) => {
    text += String(chunk);
  });
  await command.seen('"listening"');
  await expect.poll(() => text).toContain("\n");
  return { command, about: JSON.parse(text.split("\n")[0] ?? "") as Listening };
}

/** What a gateway without credentials of its own has left for commands of its workspace. */
function tokenOf(workspace: Workspace, { url }: Listening): string {
  const path = workspace.path(`.service/hosts/${new URL(url).port}.token`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  return readFileSync(path, "utf8");
}

async function stopped(command: RunningCommand, signal: "SIGINT" | "SIGTERM") {
  command.process.kill(signal);
  return command.done;
}

function clientOf(url: string, token?: string) {
  const client = createClient({ url, ...(token !== undefined && { token }) });
  onTestFinished(() => client.close());
  return client;
}

describe("treadle gateway", () => {
  it("serves the workflows of .service/workflows, and releases their runs when it is stopped", async () => {
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
    // Stands for the desktop's way to open a page.
    chmodSync(
      workspace.write("bin/xdg-open", `#!/bin/sh\necho "$1" > '${workspace.path("opened")}'\n`),
      0o755,
    );
    const PATH = `${workspace.path("bin")}:${process.env.PATH}`;
    const { command, about } = await started(workspace, ["--open"], { PATH });
    const opened = () => readFileSync(workspace.path("opened"), "utf8");
    const { port } = new URL(about.url);
    const link = workspace.path(`.service/hosts/${port}.html`);
    // Other users see what a browser is started with: the token is in a file that they cannot read.
    await expect
      .poll(() => existsSync(workspace.path("opened")) && opened())
      .toBe(`${pathToFileURL(link).href}\n`);
    const token = tokenOf(workspace, about);
    expect(readFileSync(link, "utf8")).toContain(JSON.stringify(`${about.url}/console#token=${token}`));
    expect(statSync(link).mode & 0o777).toBe(0o600);
    expect(about).toMatchObject({
      auth: "token",
      workflows: ["asks"],
      databases: [workspace.path("service.db")],
      pages: [{ path: "/console" }],
    });
    await expect(clientOf(about.url).listRuns()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const client = clientOf(about.url, token);
    const { runId } = await client.launchRun({ workflow: "asks", input: { n: 1, ask: "person" } });
    await expect.poll(async () => (await client.getRun({ runId })).status).toBe("waiting-approval");
    const { code, stderr } = await stopped(command, "SIGINT");
    expect(code).toBe(130);
    expect(stderr).toContain(`gateway at ${about.url}`);
    expect(stderr).not.toContain(token);
    expect(readdirSync(workspace.path(".service/hosts"))).toEqual([]);

    const again = await started(workspace);
    expect(tokenOf(workspace, again.about)).not.toBe(token);
    const next = clientOf(again.about.url, tokenOf(workspace, again.about));
    await next.submitApproval({ runId, nodeId: "gate", approved: true });
    await expect.poll(async () => (await next.getRun({ runId })).status).toBe("finished");
    expect((await stopped(again.command, "SIGTERM")).code).toBe(143);
  });

  it("serves what loads beside files that do not compile or give no workflow, and lists these with why", async () => {
    const workspace = new Workspace({
      ".service/workflows/asks.tsx": ASKS,
      ".service/workflows/torn.tsx": "export default () => <Workflow name=",
      ".service/workflows/texts.ts": 'export const hello = "hello, secret";',
      ".service/workflows/thrower.ts": 'throw new Error("no DEPLOY_URL");',
    });
    const { command, about } = await started(workspace);
    expect(about).toMatchObject({
      workflows: ["asks"],
      broken: [{ key: "texts" }, { key: "thrower" }, { key: "torn" }],
    });
    const client = clientOf(about.url, tokenOf(workspace, about));
    const { workflows, broken } = await client.listWorkflows();
    expect(workflows.map(({ key }) => key)).toEqual(["asks"]);
    expect(broken).toMatchObject([
      { key: "texts", file: ".service/workflows/texts.ts", isModule: true },
      { key: "thrower", isModule: false, error: { summary: expect.stringContaining("no DEPLOY_URL") } },
      {
        key: "torn",
        error: {
          code: "WORKFLOW_LOAD_FAILED",
          summary: expect.stringMatching(/torn\.tsx:1:\d+: Expected [^|]*$/),
        },
      },
    ]);
    // Lines of code stay on the gateway's terminal.
    expect(JSON.stringify(broken)).not.toContain("secret");
    await expect(client.launchRun({ workflow: "torn" })).rejects.toMatchObject({
      code: "WORKFLOW_LOAD_FAILED",
      message: expect.stringContaining("torn.tsx"),
    });
    const listed = await workspace.treadle(["workflow", "list", "--gateway", about.url]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringMatching(/torn +.*WORKFLOW_LOAD_FAILED/) });
    const { runId } = await client.launchRun({ workflow: "asks", input: { n: 1, ask: "person" } });
    await expect.poll(async () => (await client.getRun({ runId })).status).toBe("waiting-approval");
    const { stderr } = await stopped(command, "SIGTERM");
    expect(stderr).toMatch(/^ {2}\S*texts\.ts: no workflow in it$/m);
  });

  it("does not start where none of its files gives a workflow", async () => {
    const workspace = new Workspace({
      ".service/workflows/torn.tsx": "export default () => <Workflow name=",
    });
    const refused = await workspace.treadle(["gateway", "--port", "0"]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("torn.tsx") });
  });

  it("is asked by the commands of its workspace and by no others, with the token that it has left for them", async () => {
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
    const { command, about } = await started(workspace);
    expect((await workspace.treadle(["ps", "--gateway", about.url])).code).toBe(0);
    const elsewhere = await new Workspace().treadle(["ps", "--gateway", about.url]);
    expect(elsewhere).toMatchObject({ code: 4, stderr: expect.stringContaining("UNAUTHORIZED") });
    // One that others could have read or written is not sent to any host.
    chmodSync(workspace.path(`.service/hosts/${new URL(about.url).port}.token`), 0o644);
    expect((await workspace.treadle(["ps", "--gateway", about.url])).code).toBe(4);
    await stopped(command, "SIGTERM");
  });

  it("is opened by treadle console, which starts one where none runs", async () => {
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
    const opened = workspace.path("opened");
    chmodSync(workspace.write("bin/xdg-open", `#!/bin/sh\ncat "\${1#file://}" > '${opened}'\n`), 0o755);
    const env = { PATH: `${workspace.path("bin")}:${process.env.PATH}` };
    // Of one that was killed: its port leads nowhere.
    workspace.write(".service/hosts/9.token", "old");
    chmodSync(workspace.path(".service/hosts/9.token"), 0o600);
    const first = workspace.start(["console", "--port", "0"], { env });
    await first.seen("Ctrl-C stops the gateway");
    const seen = () => (existsSync(opened) ? readFileSync(opened, "utf8") : "");
    await expect.poll(seen).toContain("</script>");
    const started = seen();
    const [, url = "", token = ""] = /"(http[^"#]*)#token=([^"]*)"/.exec(started) ?? [];
    const { port, pathname } = new URL(url);
    expect(pathname).toBe("/console");
    expect(token).toBe(readFileSync(workspace.path(`.service/hosts/${port}.token`), "utf8"));

    const again = await workspace.treadle(["console"], { env });
    expect({ code: again.code, url: again.stdout.trim() }).toEqual({ code: 0, url });
    expect(seen()).toBe(started);
    // The token does not stay where it was put for the browser.
    expect(existsSync(workspace.path(`.service/hosts/${port}.html`))).toBe(false);
    first.process.kill("SIGTERM");
    expect((await first.done).code).toBe(143);
  });

  it("writes its token through no link, and over no file of others", async () => {
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS, "outside/kept": "mine" });
    symlinkSync(workspace.path("outside"), workspace.path(".service/hosts"));
    const refused = await workspace.treadle(["gateway", "--port", "0"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--no-auth") });
    expect(readdirSync(workspace.path("outside"))).toEqual(["kept"]);
  });

  it("lets every program of this machine in with --no-auth, and says so", async () => {
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
    const { command, about } = await started(workspace, ["--no-auth"]);
    expect(about.auth).toBe(null);
    await expect(clientOf(about.url).listRuns()).resolves.toMatchObject({ runs: [] });
    const { stderr } = await stopped(command, "SIGTERM");
    expect(stderr).toContain("No credentials: everybody on this machine may start and decide runs.");
    for (const [args, env] of [
      [["--auth-token", "secret"], {}],
      [[], { SERVICE_API_KEY: "secret" }],
    ] as const) {
      const both = await workspace.treadle(["gateway", "--no-auth", ...args], { env });
      expect(both).toMatchObject({ code: 4, stderr: expect.stringContaining("--no-auth") });
    }
  });

  it("takes a configuration: workflows by file, with options, from a folder of its own", async () => {
    const workspace = new Workspace({
      "flows/asks.tsx": ASKS,
      "treadle.gateway.ts": `
        import type { GatewayConfig } from "treadle/gateway";
        export default {
          auth: { mode: "token", tokens: { right: { role: "operator", scopes: ["*"] } } },
          operatorUi: { path: "/ops" },
          workflows: { ask: "./flows/asks.tsx", again: { workflow: "./flows/asks.tsx", schedule: "0 4 * * *" } },
        } satisfies GatewayConfig;
      `,
    });
    const { command, about } = await started(workspace);
    expect(about).toMatchObject({ auth: "token", workflows: ["ask", "again"], pages: [{ path: "/ops" }] });
    await expect(clientOf(about.url).listRuns()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const { workflows } = await clientOf(about.url, "right").listWorkflows();
    expect(workflows.map(({ key, schedule }) => [key, schedule])).toEqual([
      ["again", "0 4 * * *"],
      ["ask", null],
    ]);
    await stopped(command, "SIGTERM");
    const refused = await workspace.treadle(["gateway", "--auth-token", "mine"]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("says itself who is let in") });
  });

  it("takes a gateway that a module has made", async () => {
    const workspace = new Workspace({
      "flows/asks.tsx": ASKS,
      "own.ts": `
        import { Gateway } from "treadle/gateway";
        import asks from "./flows/asks.js";
        export default new Gateway({ operatorUi: false }).register("mine", asks);
      `,
    });
    const { command, about } = await started(workspace, ["--config", "own.ts"]);
    expect(about).toMatchObject({ workflows: ["mine"], pages: [] });
    const { runId } = await clientOf(about.url).launchRun({ workflow: "mine", input: { n: 4 } });
    await expect.poll(async () => (await clientOf(about.url).getRun({ runId })).status).toBe("finished");
    await stopped(command, "SIGTERM");
  });

  it("lets in with the token that it is given, or that SERVICE_API_KEY holds", async () => {
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
    for (const [args, env] of [
      [["--auth-token", "secret"], {}],
      [[], { SERVICE_API_KEY: "secret" }],
    ] as const) {
      const { command, about } = await started(workspace, args, env);
      expect(about.auth).toBe("token");
      await expect(clientOf(about.url).listRuns()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
      await expect(clientOf(about.url, "secret").listRuns()).resolves.toMatchObject({ runs: [] });
      const { stdout, stderr } = await stopped(command, "SIGTERM");
      expect(stdout + stderr).not.toContain("secret");
    }
  });

  it("says what to do where there is nothing to serve, the port is taken, or others are let in without a token", async () => {
    const empty = await new Workspace().treadle(["gateway"]);
    expect(empty).toMatchObject({ code: 4, stderr: expect.stringContaining("put workflow files there") });
    const workspace = new Workspace({ ".service/workflows/asks.tsx": ASKS });
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const taken = await workspace.treadle(["gateway", "--port", String(port)]);
    expect(taken).toMatchObject({ code: 4, stderr: expect.stringContaining("--port 0 uses a free one") });
    const open = await workspace.treadle(["gateway", "--host", "0.0.0.0", "--port", "0", "--json"]);
    expect(open.code).toBe(4);
    expect(JSON.parse(open.stdout)).toMatchObject({ ok: false, error: { code: "SERVER_INSECURE_BIND" } });
  });
});
