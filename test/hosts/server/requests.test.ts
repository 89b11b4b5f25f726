import { mkdirSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { Workspace } from "../../cli/support/treadle.js";
import { ServerProcess } from "../support/server-process.js";
import { ASKS } from "../support/workflows.js";

describe("a request that a server cannot use", () => {
  it("is refused with the member that is wrong, and nothing is stored", async () => {
    const workspace = new Workspace({ "asks.tsx": ASKS });
    const server = await ServerProcess.start(workspace, { dbPath: workspace.path("service.db") });
    const bodies: unknown[] = [
      {},
      { workflowPath: 1 },
      { workflowPath: "asks.tsx", input: [] },
      { workflowPath: "asks.tsx", input: {} },
      { workflowPath: "asks.tsx", input: { n: 1 }, runID: "misspelt" },
      { workflowPath: "asks.tsx", input: { n: 1 }, runId: "a b" },
      { workflowPath: "asks.tsx", input: { n: 1 }, config: { maxConcurrency: 0 } },
      { workflowPath: "asks.tsx", input: { n: 1 }, config: { queue: "two words" } },
      { workflowPath: "asks.tsx", input: { n: 1 }, resume: true },
      [],
      "null",
    ];
    for (const body of bodies) {
      const answer = await server.call("/v1/runs", { body });
      expect({ body, answer }).toMatchObject({
        answer: { status: 400, body: { error: { code: "INVALID_INPUT" } } },
      });
    }
    for (const body of ["{", "", "\u0000", '{"a":1}}']) {
      const answer = await server.call("/v1/runs", { body });
      expect(answer.status).toBe(400);
    }
    expect((await server.call("/v1/runs")).body).toEqual({ runs: [], nextCursor: null });
    for (const query of ["limit=0", "limit=501", "limit=x", "limit=1e2", "status=done", "color=red"]) {
      expect(await server.call(`/v1/runs?${query}`)).toMatchObject({ status: 400 });
    }
  });

  it("is refused when it names what is not there", async () => {
    const server = await ServerProcess.start(new Workspace());
    const code = async (path: string, body?: unknown) => {
      const answer = await server.call<{ error: { code: string } }>(path, { body });
      return `${answer.status} ${answer.body.error.code}`;
    };
    expect(await code("/v1/runs/none")).toBe("404 RUN_NOT_FOUND");
    expect(await code("/v1/runs/none/events")).toBe("404 RUN_NOT_FOUND");
    expect(await code("/v1/runs/none/cancel", {})).toBe("404 RUN_NOT_FOUND");
    expect(await code("/v1/runs/none/signals/x", {})).toBe("404 RUN_NOT_FOUND");
    expect(await code("/v1/runs", { workflowPath: "none.tsx" })).toBe("404 WORKFLOW_NOT_FOUND");
    expect(await code("/v2/runs")).toBe("404 ROUTE_NOT_FOUND");
    expect(await code("/v1/runs")).toBe("400 DB_NOT_CONFIGURED");
  });

  it("is refused with the methods that its path takes, when it comes with another one", async () => {
    const { url } = await ServerProcess.start(new Workspace());
    const ask = async (method: string, path: string) => {
      const response = await fetch(url + path, { method });
      return [response.status, response.headers.get("allow")];
    };
    expect(await ask("DELETE", "/v1/runs")).toEqual([405, "GET, HEAD, POST"]);
    expect(await ask("PUT", "/v1/runs/none/cancel")).toEqual([405, "POST"]);
    expect(await ask("GET", "/v1/runs/none/cancel")).toEqual([405, "POST"]);
    expect(await ask("POST", "/health")).toEqual([405, "GET, HEAD"]);
    expect(await ask("POST", "/v2/runs")).toEqual([404, null]);
  });

  it.each([
    [{ "content-type": "application/json; charset=utf-16" }],
    [{ "content-type": 'application/json;charset="ISO-8859-1"' }],
    [{ "content-type": "application/json", "content-encoding": "gzip" }],
    [{ "content-type": "application/json", "content-encoding": "identity, br" }],
  ])("is refused with a body that is %j", async (headers) => {
    const { url } = await ServerProcess.start(new Workspace());
    const response = await fetch(`${url}/v1/runs`, { method: "POST", headers, body: "{}" });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ error: { code: "UNSUPPORTED_ENCODING" } });
  });

  it("is taken in UTF-8, however that is spelled", async () => {
    const { url } = await ServerProcess.start(new Workspace());
    for (const charset of ["utf-8", "UTF8", '"utf-8"']) {
      const headers = {
        "content-type": `application/json; charset=${charset}`,
        "content-encoding": "identity",
      };
      const response = await fetch(`${url}/v1/runs`, { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(400);
    }
  });

  it("is refused while its body is still coming, once it is too large", async () => {
    const server = await ServerProcess.start(new Workspace(), { maxBodyBytes: 1_000 });
    const known = await server.call("/v1/runs", {
      body: JSON.stringify({ workflowPath: "x".repeat(2_000) }),
    });
    expect(known).toMatchObject({ status: 413, body: { error: { code: "PAYLOAD_TOO_LARGE" } } });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write(
      "POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    // A body that never ends.
    const chunk = `100\r\n${" ".repeat(256)}\r\n`;
    socket.write(chunk.repeat(5));
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it("is given up when its headers take too long", async () => {
    const server = await ServerProcess.start(new Workspace(), { headersTimeout: 200, requestTimeout: 400 });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write("GET /health HTTP/1.1\r\nHost: local");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
  });

  it("for a workflow that cannot be loaded gets the reason, and nothing of this machine", async () => {
    const workspace = new Workspace({ "broken.tsx": `\nthrow new TypeError("half done");` });
    const server = await ServerProcess.start(workspace, { rootDir: workspace.folder });
    const { status, body } = await server.call("/v1/runs", { body: { workflowPath: "broken.tsx" } });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: "WORKFLOW_LOAD_FAILED" } },
    });
    expect(JSON.stringify(body)).toContain("half done");
    expect(JSON.stringify(body)).not.toMatch(/file:| {4}at |\.mjs/);
    expect(JSON.stringify(body)).not.toContain(workspace.folder);
  });
});

describe("a workflow path", () => {
  it("stays in the root, whatever it is made of", async () => {
    const workspace = new Workspace({ "outside.tsx": ASKS });
    const root = workspace.path("root");
    mkdirSync(root);
    symlinkSync(workspace.path("outside.tsx"), `${root}/link.tsx`);
    symlinkSync(workspace.folder, `${root}/folder`);
    const server = await ServerProcess.start(workspace, { rootDir: root });
    const paths = [
      "../outside.tsx",
      workspace.path("outside.tsx"),
      "link.tsx",
      "folder/outside.tsx",
      "folder/not-there.tsx",
      "sub/../../outside.tsx",
      "/etc/passwd",
      "..",
      ".",
    ];
    for (const workflowPath of paths) {
      const answer = await server.call("/v1/runs", { body: { workflowPath, input: { n: 1 } } });
      expect({ workflowPath, answer }).toMatchObject({
        answer: { status: 400, body: { error: { code: "WORKFLOW_PATH_OUTSIDE_ROOT" } } },
      });
    }
    const missing = await server.call("/v1/runs", { body: { workflowPath: "none\u0000.tsx" } });
    expect(missing.status).toBe(404);
  });
});
