import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ASKS } from "../../hosts/support/workflows.js";
import { Workspace } from "../support/treadle.js";

const ASK = ["--input", '{"n":1,"ask":"person"}'];

/** Starts `up --serve` and waits until it says where it listens. */
async function serve(workspace: Workspace, args: readonly string[], env: Record<string, string> = {}) {
  const command = workspace.start(["up", "asks.tsx", "--serve", "--port", "0", ...args], { env });
  let said = "";
  command.process.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  await command.seen("Ctrl-C stops");
  return { command, url: /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "" };
}

const approve = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/approve/gate`, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json", ...headers },
  });

describe("up --serve", () => {
  it("serves its run, takes answers, and continues serving until it is stopped", async () => {
    const workspace = new Workspace({ "asks.tsx": ASKS });
    const { command, url } = await serve(workspace, [...ASK, "--no-auth"]);
    const read = async () => (await (await fetch(url)).json()) as { runId: string; status: string };
    await expect.poll(async () => (await read()).status).toBe("waiting-approval");
    expect((await approve(url)).status).toBe(200);
    await expect.poll(async () => (await read()).status).toBe("finished");
    command.process.kill("SIGINT");
    const { code, stdout } = await command.done;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('"total": 2') });
  });

  it("leaves a run that waits resumable when it is stopped", async () => {
    const workspace = new Workspace({ "asks.tsx": ASKS });
    const { command, url } = await serve(workspace, ASK);
    const token = readFileSync(workspace.path(`.service/hosts/${new URL(url).port}.token`), "utf8");
    expect((await fetch(url)).status).toBe(401);
    const headers = { "x-service-key": token };
    await expect
      .poll(async () => ((await (await fetch(url, { headers })).json()) as { status: string }).status)
      .toBe("waiting-approval");
    command.process.kill("SIGTERM");
    expect((await command.done).code).toBe(143);
    expect(readdirSync(workspace.path(".service/hosts"))).toEqual([]);
    expect((await workspace.json(["ps"])).document).toMatchObject({ runs: [{ status: "waiting-approval" }] });
  });

  it("lets in who has its token, given or from the environment", async () => {
    const workspace = new Workspace({ "asks.tsx": ASKS });
    for (const [args, env] of [
      [[...ASK, "--auth-token", "secret"], {}],
      [ASK, { SERVICE_API_KEY: "secret" }],
    ] as const) {
      const { command, url } = await serve(workspace, ["--run-id", `run-${args.length}`, ...args], env);
      expect((await fetch(url)).status).toBe(401);
      expect((await fetch(url, { headers: { "x-service-key": "secret" } })).status).toBe(200);
      command.process.kill("SIGKILL");
      await once(command.process, "exit");
    }
  });

  it("is refused beyond this machine without a token, and where its options make no sense", async () => {
    const workspace = new Workspace({ "asks.tsx": ASKS });
    const refused = async (...args: string[]) =>
      (await workspace.treadle(["up", "asks.tsx", ...ASK, ...args])).stderr;
    expect(await refused("--serve", "--host", "0.0.0.0")).toContain("SERVER_INSECURE_BIND");
    expect(await refused("--port", "8000")).toContain("--port needs --serve");
    expect(await refused("--no-auth")).toContain("--no-auth needs --serve");
    expect(await refused("--serve", "--no-auth", "--auth-token", "t")).toContain("exclude each other");
    expect(await refused("--no-metrics")).toContain("--no-metrics needs --serve");
    expect(await refused("--serve", "--no-wait")).toContain("--no-wait");
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    expect(await refused("--serve", "--port", String(port))).toContain(
      `Port ${port} is taken: --port 0 uses a free one.`,
    );
    expect(
      (await workspace.json(["ps"]).catch(() => ({ document: { runs: [] } }))).document,
    ).not.toMatchObject({
      runs: [{}],
    });
  });
});
