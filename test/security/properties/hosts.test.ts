import { Nudge } from "../../../src/util/nudge.js";
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuthenticator } from "../../../src/hosts/gateway/auth/authenticator.js";
import { checkAuth } from "../../../src/hosts/gateway/auth/check-auth.js";
import { checkGatewayOptions } from "../../../src/hosts/gateway/check-gateway-options.js";
import { AgentChecks } from "../../../src/hosts/gateway/agent-checks.js";
import { Extensions } from "../../../src/hosts/gateway/extensions.js";
import { createGatewayApp } from "../../../src/hosts/gateway/gateway-app.js";
import type { GatewayOptions } from "../../../src/hosts/gateway/index.js";
import { GatewayWorkspace } from "../../../src/hosts/gateway/workspace.js";
import { createServeApp, runWorkflow, ServiceDb, startServer } from "../../../src/index.js";
import { systemClock } from "../../../src/util/clock.js";
import { openGateway } from "../../hosts/gateway/support/gateway.js";
import { asking } from "../../hosts/gateway/support/workflows.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import fc, { propertyRuns } from "../../support/property-tests.js";
import {
  gatewayRequests,
  type HostileRequest,
  type Known,
  serveAppRequests,
  serverRequests,
} from "../support/hostile-requests.js";

const KNOWN: Known = { runId: "waiting-run", nodeId: "gate", workflow: "ask", token: "the-token" };
const auth: GatewayOptions["auth"] = {
  mode: "token",
  tokens: { [KNOWN.token]: { role: "r", scopes: ["*"], userId: "ada" } },
};
const look = { handler: (params: unknown) => ({ params }) };

/** A run that waits for a decision. */
async function waitingRun() {
  const folder = temporaryFolder();
  const workflow = asking(folder);
  await runWorkflow(workflow, { runId: KNOWN.runId, input: {} });
  return { folder, workflow };
}

interface Answer {
  status: number;
  text: string;
}

type Send = (sent: HostileRequest) => Promise<Answer>;

/** For every caller and request the answer is one of the host's own, and no failure. */
async function neverFails(
  send: Send,
  requests: fc.Arbitrary<HostileRequest>,
  inSuite: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const { status, text } = await send(sent);
      expect({
        ...sent,
        body: Buffer.from(sent.body ?? [])
          .toString("latin1")
          .slice(0, 300),
        status,
        text,
      }).toSatisfy(() => status < 500);
      if (status >= 400 && sent.method !== "HEAD") {
        const { error } = JSON.parse(text) as { error: { code: string; message: string } };
        expect(error.code).toMatch(/^[A-Z_]+$/);
      }
    }),
    propertyRuns(inSuite),
  );
}

const overFetch =
  (app: { fetch(request: Request): Response | Promise<Response> }): Send =>
  async ({ path, body, ...init }) => {
    const response = await app.fetch(
      new Request(`http://127.0.0.1${path}`, {
        ...init,
        ...(body !== undefined && { body: Buffer.from(body) }),
      }),
    );
    return { status: response.status, text: await response.text() };
  };

function overHttp(url: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const { port } = new URL(url);
  return ({ method, path, headers: given, body }) =>
    new Promise((resolve, reject) => {
      const headers = { ...given, ...(body !== undefined && { "content-length": body.length }) };
      const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", reject);
      });
      sent.on("error", reject).end(body);
    });
}

describe("hostile requests never make a host fail", () => {
  it("that is a gateway, in this process", async () => {
    const { folder, workflow } = await waitingRun();
    const stop = new AbortController();
    const failures: Error[] = [];
    const onError = (_runId: string | null, error: Error) => failures.push(error);
    const workspace = new GatewayWorkspace({ root: folder, clock: systemClock, onError });
    onTestFinished(() => {
      stop.abort();
      return workspace.close();
    });
    workspace.add(KNOWN.workflow, workflow, {});
    await workspace.open();
    const extensions = new Extensions();
    extensions.add("own", { queries: { look } });
    const app = createGatewayApp({
      options: checkGatewayOptions({ auth, workspaceRoot: folder, operatorUi: false, maxBodyBytes: 10_000 }),
      authenticator: createAuthenticator(checkAuth(auth), Date.now),
      workspace,
      extensions,
      signal: stop.signal,
      schedulesChanged: new Nudge(),
      agentChecks: new AgentChecks(systemClock),
      onFailure: (error) => failures.push(error),
    });
    await neverFails(overFetch(app), gatewayRequests(KNOWN), 600);
    expect(failures).toEqual([]);
  });

  it("that is a gateway, over its port", async () => {
    const { folder, workflow } = await waitingRun();
    const { url } = await openGateway(
      (gateway) => gateway.register(KNOWN.workflow, workflow).extend("own", { queries: { look } }),
      { folder, auth, maxBodyBytes: 10_000, operatorUi: false },
    );
    await neverFails(overHttp(url), gatewayRequests(KNOWN), 400);
  });

  it("that is a server", async () => {
    const { folder, workflow } = await waitingRun();
    const failures: Error[] = [];
    const server = startServer({
      port: 0,
      db: workflow.db,
      rootDir: folder,
      authToken: KNOWN.token,
      maxBodyBytes: 10_000,
      onError: (_runId, error) => failures.push(error),
    });
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await neverFails(overHttp(url), serverRequests(KNOWN), 500);
    expect(failures).toEqual([]);
  });

  it("that is the app of one run", async () => {
    const { workflow } = await waitingRun();
    const app = createServeApp({
      workflow,
      adapter: new ServiceDb(workflow.db),
      runId: KNOWN.runId,
      abort: new AbortController(),
      authToken: KNOWN.token,
      resumes: false,
    });
    await neverFails(overFetch(app), serveAppRequests(KNOWN), 400);
  });
});
