import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { startServer } from "../../../src/index.js";
import { Workspace } from "../../cli/support/treadle.js";
import { ServerProcess } from "../support/server-process.js";

const TOKEN = "correct-horse";
const ROUTES: readonly [string, string][] = [
  ["GET", "/metrics"],
  ["GET", "/v1/runs"],
  ["GET", "/v1/approvals"],
  ["POST", "/v1/runs"],
  ["GET", "/v1/runs/x"],
  ["POST", "/v1/runs/x/resume"],
  ["POST", "/v1/runs/x/cancel"],
  ["GET", "/v1/runs/x/events"],
  ["GET", "/v1/runs/x/frames"],
  ["GET", "/v1/runs/x/nodes/y"],
  ["POST", "/v1/runs/x/nodes/y/approve"],
  ["POST", "/v1/runs/x/nodes/y/deny"],
  ["POST", "/v1/runs/x/signals/y"],
  ["GET", "/nowhere"],
];

/** A request whose Host header says what the test wants; fetch does not allow that. */
function statusWith(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject).end();
  });
}

describe("who is let in by a server with a token", () => {
  it("has no access without it, on every route but /health, known or not", async () => {
    const server = await ServerProcess.start(new Workspace(), { authToken: TOKEN });
    for (const [method, path] of ROUTES) {
      for (const headers of [
        {},
        { authorization: "Bearer wrong" },
        { authorization: `Basic ${TOKEN}` },
        { authorization: `Bearer ${TOKEN}x` },
        { authorization: "Bearer" },
        { "x-service-key": "wrong" },
        { "x-service-key": "" },
      ] as Record<string, string>[]) {
        const answer = await server.call(path, { method, headers });
        expect({ path, headers, status: answer.status }).toEqual({ path, headers, status: 401 });
        expect(answer.body).toMatchObject({ error: { code: "UNAUTHORIZED" } });
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    }
    expect(await server.call("/health")).toMatchObject({ status: 200, body: { ok: true } });
  });

  it("is who sends it, also when it comes from the environment", async () => {
    const given = await ServerProcess.start(new Workspace(), { authToken: TOKEN });
    const found = await ServerProcess.start(new Workspace(), { env: { SERVICE_API_KEY: TOKEN } });
    for (const server of [given, found]) {
      expect((await server.call("/metrics")).status).toBe(401);
      expect((await server.call("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(
        200,
      );
      expect((await server.call("/metrics", { headers: { "x-service-key": TOKEN } })).status).toBe(200);
    }
  });
});

describe("who is let in by a server without a token", () => {
  it("is this machine, by its own names and for its own pages", async () => {
    const server = await ServerProcess.start(new Workspace());
    const { port } = new URL(server.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect(await statusWith(`${server.url}/metrics`, { host })).toBe(200);
    }
    for (const host of [
      "evil.example",
      `localhost.evil.example:${port}`,
      "127.0.0.1.evil.example",
      "10.0.0.1",
    ]) {
      expect(await statusWith(`${server.url}/metrics`, { host })).toBe(403);
    }
    const from = (origin: string) => server.call("/metrics", { headers: { origin } });
    expect((await from(`http://127.0.0.1:${port}`)).status).toBe(200);
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1.evil.example",
      "http://localhost:3000",
      "vscode-webview://localhost",
    ]) {
      expect(await from(origin)).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    }
  });

  it("takes no body that a page may send without asking", async () => {
    const server = await ServerProcess.start(new Workspace());
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ]) {
      const headers = { "content-type": type };
      const answer = await server.call("/v1/runs", { body: `{"workflowPath":"x.tsx"}`, headers });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: "INVALID_JSON" } } });
    }
  });

  it("cannot be any client: it listens beyond this machine only on explicit request", () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
      expect(() => startServer({ host, port: 0 })).toThrow(
        expect.objectContaining({ code: "SERVER_INSECURE_BIND" }),
      );
    }
  });
});
