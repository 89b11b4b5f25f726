import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createServeApp,
  listRuns,
  runWorkflow,
  ServiceDb,
  ServiceError,
  type ServiceWorkflow,
  startServer,
} from "../../src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openGateway } from "./gateway/support/gateway.js";
import { SocketClient } from "./gateway/support/socket-client.js";
import { asking } from "./gateway/support/workflows.js";
import { readServerSentEvents } from "./support/server-sent-events.js";

type Get = (path: string) => Promise<Response>;

interface Host {
  get: Get;
  /** Reads a run. */
  runPath: string;
  eventsPath?: string;
  url?: string;
}

const hosts: Record<string, (workflow: ServiceWorkflow) => Promise<Host>> = {
  async Gateway(workflow) {
    const { url, call } = await openGateway((gateway) => gateway.register("ask", workflow));
    await call("getRun", { runId: "run" });
    const get: Get = (path) =>
      path === "/getRun"
        ? fetch(`${url}/v1/rpc/getRun`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: '{"runId":"run"}',
          })
        : fetch(url + path);
    return { get, url, runPath: "/getRun" };
  },
  async startServer(workflow) {
    const server = startServer({ port: 0, db: workflow.db });
    onTestFinished(() => void server.close());
    if (!server.listening) await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      get: (path) => fetch(url + path),
      url,
      runPath: "/v1/runs/run",
      eventsPath: "/v1/runs/run/events",
    };
  },
  async createServeApp(workflow) {
    const abort = new AbortController();
    onTestFinished(() => abort.abort(new ServiceError("PROCESS_ABORTED", "The test ends.")));
    const app = createServeApp({ workflow, adapter: new ServiceDb(workflow.db), runId: "run", abort });
    return { get: async (path) => app.request(path), runPath: "/", eventsPath: "/events" };
  },
};

/** A waiting run, and how its database is taken away and brought back. */
async function waiting() {
  const folder = join(temporaryFolder(), "kept");
  mkdirSync(folder);
  const workflow = asking(folder);
  expect((await runWorkflow(workflow, { input: {}, runId: "run" })).status).toBe("waiting-approval");
  return {
    workflow,
    lose: () => renameSync(folder, `${folder}-gone`),
    bringBack: () => renameSync(`${folder}-gone`, folder),
  };
}

describe.each(Object.entries(hosts))("%s whose database is lost", (_name, open) => {
  it("is not ready, refuses to read, and is ready again once the files are back", async () => {
    const { workflow, lose, bringBack } = await waiting();
    const { get, runPath } = await open(workflow);
    const health = async () => {
      const response = await get("/health");
      return { status: response.status, body: await response.json() };
    };
    const ready = { status: 200, body: { ok: true, ready: true } };
    expect(await health()).toMatchObject(ready);
    expect((await get(runPath)).status).toBe(200);
    lose();
    const lost = { status: 503, body: { ok: false, ready: false, error: { code: "DB_LOST" } } };
    expect(await health()).toMatchObject(lost);
    expect(JSON.stringify((await health()).body)).not.toContain("service.db");
    const refused = await get(runPath);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: "DB_LOST" } });
    expect((await get("/metrics")).status).toBe(200);
    bringBack();
    expect(await health()).toMatchObject(ready);
    expect((await get(runPath)).status).toBe(200);
  });
});

describe("a stream whose database is lost", () => {
  it("of server-sent events ends with the reason", async () => {
    const { workflow, lose } = await waiting();
    const { url, eventsPath } = await (hosts.startServer as NonNullable<typeof hosts.startServer>)(workflow);
    const reader = await readServerSentEvents(`${url}${eventsPath}`, {});
    await reader.until("ApprovalRequested");
    lose();
    const events = await reader.rest();
    expect(events.at(-1)).toMatchObject({ event: "stream.error", data: { error: { code: "DB_LOST" } } });
  });

  it.each([true, false])(
    "of a WebSocket ends with the reason, other processes being looked for: %s",
    async (outOfProcessEventBridge) => {
      const { workflow, lose } = await waiting();
      const { url } = await openGateway((gateway) => gateway.register("ask", workflow), {
        outOfProcessEventBridge,
      });
      const client = await SocketClient.connect(url);
      await client.result("streamRunEvents", { runId: "run" });
      await client.next(({ event, payload }) => event === "run.event" && "event" in payload);
      lose();
      const { payload } = await client.next(({ event }) => event === "stream.error");
      expect(payload).toMatchObject({ error: { code: "DB_LOST" } });
      const again = await client.request("streamRunEvents", { runId: "run" });
      expect(again).toMatchObject({ ok: false, error: { code: "DB_LOST" } });
    },
  );
});

it("a list is not read of a database that is lost", async () => {
  const { workflow, lose } = await waiting();
  await listRuns(workflow);
  lose();
  await expect(listRuns(workflow)).rejects.toMatchObject({ code: "DB_LOST" });
});
