import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Gateway } from "../../../src/hosts/gateway/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { openGateway } from "./support/gateway.js";
import { held } from "./support/workflows.js";

const nothing = () => {};

function healthAt(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: "/health", headers: { host: "gateway" } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("where a gateway listens", () => {
  it("is this machine only, unless it lets in none but who it knows", async () => {
    const open = new Gateway({ workspaceRoot: temporaryFolder() });
    for (const host of ["0.0.0.0", "::", "192.168.1.1"]) {
      await expect(open.listen({ port: 0, host })).rejects.toMatchObject({ code: "SERVER_INSECURE_BIND" });
    }
    const auth = { mode: "token", tokens: { secret: { role: "r", scopes: [] } } } as const;
    const { server } = await openGateway(nothing, {
      auth: { ...auth, tokens: { secret: { role: "r", scopes: [] } } },
      listen: { port: 0, host: "0.0.0.0" },
    });
    expect(server.address()).toMatchObject({ address: "0.0.0.0" });
  });

  it("is an error when it is taken, and may be chosen again", async () => {
    const { server } = await openGateway(nothing);
    const { port } = server.address() as { port: number };
    const second = new Gateway({ workspaceRoot: temporaryFolder() });
    await expect(second.listen({ port })).rejects.toMatchObject({
      code: "ADDRESS_IN_USE",
      details: { port },
    });
    await second.listen({ port: 0 });
    await second.close();
  });

  it("may be a Unix socket that no other user can open; host and port do not count then", async () => {
    const path = join(temporaryFolder(), "gateway.sock");
    const before = process.umask();
    const { gateway } = await openGateway(nothing, { listen: { path, port: 1, host: "0.0.0.0" } });
    expect(process.umask()).toBe(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await healthAt(path)).toBe(200);
    const second = new Gateway({ workspaceRoot: temporaryFolder() });
    await expect(second.listen({ path })).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
    expect(await healthAt(path)).toBe(200);
    await gateway.close();
    expect(existsSync(path)).toBe(false);
  });

  it("may be the socket file that a dead process has left, and no other file", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "gateway.sock");
    const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => console.log("up"))`;
    const left = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(left.stdout, "data");
    left.kill("SIGKILL");
    await once(left, "exit");
    expect(existsSync(path)).toBe(true);
    await openGateway(nothing, { listen: { path } });
    expect(await healthAt(path)).toBe(200);
    const file = join(folder, "notes.txt");
    writeFileSync(file, "mine");
    await expect(new Gateway({ workspaceRoot: folder }).listen({ path: file })).rejects.toMatchObject({
      code: "ADDRESS_IN_USE",
    });
    await expect(
      new Gateway({ workspaceRoot: folder }).listen({ path: join(folder, "none", "x.sock") }),
    ).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

describe("a gateway that is closed", () => {
  it("releases its runs, which the next one continues with", async () => {
    const folder = temporaryFolder();
    const first = held(folder);
    const gateway = await openGateway((gateway) => gateway.register("held", first.workflow), { folder });
    const { runId } = (await gateway.call("launchRun", { workflow: "held" })) as { runId: string };
    await expect
      .poll(async () => (await gateway.call("getRun", { runId })).nodes)
      .toEqual({ "in-progress": 1 });
    await gateway.gateway.close();
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
    const second = held(folder);
    second.open();
    const next = await openGateway((gateway) => gateway.register("held", second.workflow), { folder });
    await next.until(runId, "finished");
  });

  it("may never have listened", async () => {
    const gateway = new Gateway({ workspaceRoot: temporaryFolder() });
    await Promise.all([gateway.close(), gateway.close()]);
    await expect(gateway.listen({ port: 0 })).rejects.toMatchObject({ code: "GATEWAY_CLOSED" });
  });

  it("may be closed while it begins to listen", async () => {
    const gateway = new Gateway({ workspaceRoot: temporaryFolder() });
    const listening = gateway.listen({ port: 0 });
    await gateway.close();
    const server = await listening;
    expect(server.listening).toBe(false);
  });
});
