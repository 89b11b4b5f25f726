import { createServer as createHttpServer, type Server } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SandboxRequest } from "../../../src/model/sandbox-provider.js";
import { BubblewrapRuntime } from "../../../src/sandbox/runtimes/bubblewrap.js";
import { childFile, sandboxRequest } from "../../support/sandbox-request.js";
import { canSandbox } from "../../support/can-sandbox.js";

/** `ask(variable, url)`: a request through the proxy that the variable names. */
const ASK = `
const http = await import("node:http"), net = await import("node:net"), fs = await import("node:fs");
const ask = (variable, url) => new Promise((resolve) => {
  const { hostname, port, username, password } = new URL(process.env[variable]);
  const headers = { host: new URL(url).host, "proxy-authorization": username + ":" + password };
  http.get({ hostname, port, path: url, headers }, (response) => {
    let text = ""; response.on("data", (chunk) => (text += chunk)).on("end", () => resolve(response.statusCode + " " + text));
  }).on("error", (error) => resolve("refused: " + error.code));
});
const reach = (port, host) => new Promise((resolve) => net.connect(port, host, () => resolve("reached")).on("error", (error) => resolve("refused: " + error.code)));
`;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

/** Lets requests to one host through. */
const allowing = (host: string) =>
  createHttpServer((request, response) => {
    const isAllowed = new URL(request.url ?? "").hostname === host;
    response.statusCode = isAllowed ? 200 : 403;
    response.end(isAllowed ? `by ${request.headers["proxy-authorization"]}` : "not on the list");
  });

async function inside(body: string, more: Partial<SandboxRequest>): Promise<unknown> {
  const { request, root, folder } = sandboxRequest({ "child.tsx": `-${childFile(`${ASK}${body}`)}` }, more);
  writeFileSync(join(root, "own-ca.pem"), "of a file");
  const { output, error } = await new BubblewrapRuntime().run(request);
  expect(readdirSync(folder).sort()).toEqual(["files", "request", "result", "root"]);
  return error ?? JSON.parse((output as { text: string }).text);
}

describe.runIf(canSandbox)("a sandbox with a proxy and no network", () => {
  it("reaches what the proxy lets it reach, and nothing else, not even what listens beside the proxy", async () => {
    const proxy = await listening(allowing("allowed.example"));
    const other = await listening(createHttpServer((_, response) => void response.end("other")));
    const answers = await inside(
      `return JSON.stringify([
        await ask("HTTP_PROXY", "http://allowed.example/"),
        await ask("https_proxy", "http://denied.example/"),
        await reach(${other}, "127.0.0.1"),
        await reach(${proxy}, "127.0.0.1"),
        await reach(53, "1.1.1.1"),
        process.env.NO_PROXY, process.env.EXTRA]);`,
      {
        egress: {
          httpProxy: `http://me:pass@127.0.0.1:${proxy}`,
          httpsProxy: `http://127.0.0.1:${proxy}`,
          noProxy: ["a", "b"],
          env: { EXTRA: "more" },
        },
      },
    );
    expect(answers).toEqual([
      "200 by me:pass",
      "403 not on the list",
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
      "a,b",
      "more",
    ]);
  });

  it("cannot turn its way to the proxy into one to elsewhere, and none is left afterwards", async () => {
    const proxy = await listening(allowing("allowed.example"));
    const body = `
      const said = (work) => { try { work(); return "done"; } catch (error) { return "refused"; } };
      const at = "/run/treadle-egress/";
      return JSON.stringify([fs.readdirSync(at), said(() => fs.rmSync(at + "HTTP_PROXY")), said(() => fs.symlinkSync("/etc", at + "x")), said(() => fs.writeFileSync(at + "ca.crt", "x"))]);`;
    expect(await inside(body, { egress: { httpProxy: `http://127.0.0.1:${proxy}` } })).toEqual([
      ["HTTP_PROXY"],
      "refused",
      "refused",
      "refused",
    ]);
  });

  it("fails a request, and survives, when no proxy listens there", async () => {
    const server = createHttpServer();
    const port = await listening(server);
    await new Promise((done) => server.close(done));
    const asks = `return JSON.stringify([await ask("HTTP_PROXY", "http://a.example/"), await ask("HTTP_PROXY", "http://a.example/")]);`;
    expect(await inside(asks, { egress: { httpProxy: `http://127.0.0.1:${port}` } })).toEqual([
      expect.stringMatching(/^refused/),
      expect.stringMatching(/^refused/),
    ]);
    expect(await new Promise((done) => connect(port, "127.0.0.1").on("error", () => done("closed")))).toBe(
      "closed",
    );
  });

  it("uses up no descriptors of the process that runs it, however many connections it opens", async () => {
    let most = 0;
    const open = new Set<unknown>();
    const silent = createServer((socket) => {
      most = Math.max(most, open.add(socket).size);
      socket.on("error", () => socket.destroy()).on("close", () => open.delete(socket));
    });
    await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    const answer = await inside(
      `
      const { port } = new URL(process.env.HTTP_PROXY);
      const ended = Array.from({ length: 400 }, () => new Promise((done) => net.connect(port, "127.0.0.1").on("close", done).on("error", done)));
      let closed = 0;
      for (const each of ended) void each.then(() => (closed += 1));
      while (closed < 100) await new Promise((done) => setTimeout(done, 20));
      return JSON.stringify("enough");`,
      { egress: { httpProxy: `http://127.0.0.1:${port}` } },
    );
    expect(answer).toBe("enough");
    expect(most).toBeLessThanOrEqual(256);
  });
});

it.runIf(canSandbox)("a sandbox with an open network is given the proxy's own address", async () => {
  const egress = { httpProxy: "http://proxy.example:3128" };
  const said = await inside(`return JSON.stringify([process.env.HTTP_PROXY, process.env.http_proxy]);`, {
    egress,
    allowNetwork: true,
  });
  expect(said).toEqual([egress.httpProxy, egress.httpProxy]);
});

it.runIf(canSandbox).each([
  [{ caCertPem: "of the prop" }, "of the prop"],
  [{ caCertPath: "own-ca.pem" }, "of a file"],
])("a sandbox has the certificate of its egress where Node looks for it", async (egress, content) => {
  expect(
    await inside(`return JSON.stringify(fs.readFileSync(process.env.NODE_EXTRA_CA_CERTS, "utf8"));`, {
      egress,
    }),
  ).toBe(content);
});

it("a sandbox does not start without the certificate that it is to have", async () => {
  await expect(inside("return 1;", { egress: { caCertPath: "nowhere.pem" } })).rejects.toMatchObject({
    code: "SANDBOX_EXECUTION_FAILED",
  });
});
