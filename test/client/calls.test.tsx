import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { METHOD_NAMES } from "../../src/client/gateway-methods.js";
import { type ClientOptions, ClientError, createClient } from "../../src/client/index.js";
import { METHODS } from "../../src/hosts/gateway/rpc/methods.js";
import { openGateway } from "../hosts/gateway/support/gateway.js";
import { asking, doubling } from "../hosts/gateway/support/workflows.js";

const TOKENS = {
  "secret-of-ada": { role: "operator", scopes: ["*"], userId: "ada" },
  "secret-of-eve": { role: "viewer", scopes: ["run:read"], userId: "eve" },
};

function clientOf(options: ClientOptions) {
  const client = createClient(options);
  onTestFinished(() => client.close());
  return client;
}

/** Answers everything the same way, and remembers nothing. */
async function otherServer(answer: (end: (status: number, text: string) => void) => void): Promise<string> {
  const server = createServer((_request, response) =>
    answer((status, text) => {
      response.statusCode = status;
      response.end(text);
    }),
  ).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a client", () => {
  it.each([
    [{ tokn: "secret" }, "createClient has no option tokn. Did you mean token?"],
    [{ reconnect: { maxDelay: 1 } }, "reconnect has no option maxDelay. Did you mean maxDelayMs?"],
  ])("refuses a misspelt option: %o", (options, message) => {
    const call = () => createClient(options as ClientOptions);
    expect(call).toThrow(expect.objectContaining({ code: "INVALID_INPUT", message }));
  });

  it("sends cookies to its own origin only: a proxy in front of the gateway may know its users by one", async () => {
    const sent: RequestInit[] = [];
    const remember = async (_url: unknown, init: RequestInit = {}) => {
      sent.push(init);
      return Response.json({ ok: true });
    };
    const client = clientOf({ url: "http://gateway.test", fetch: remember as typeof fetch });
    await client.health();
    expect(sent).toMatchObject([{ credentials: "same-origin" }]);
  });

  it("has a method for each one of a gateway", () => {
    expect([...METHOD_NAMES].toSorted()).toEqual(Object.keys(METHODS).toSorted());
  });

  it("starts a run, answers it and reads how it ended", async () => {
    const gateway = await openGateway((gateway, folder) => gateway.register("ask", asking(folder)));
    const client = clientOf({ url: gateway.url });
    const { runId, isNew } = await client.launchRun({ workflow: "ask", idempotencyKey: "once" });
    expect(isNew).toBe(true);
    await gateway.until(runId, "waiting-approval");
    const { approvals } = await client.listApprovals({ runId });
    expect(approvals.map(({ request }) => request.title)).toEqual(["Go?"]);
    const [{ requestHash = "" } = {}] = approvals;
    await client.submitApproval({ runId, nodeId: "gate", approved: true, requestHash });
    await client.submitSignal({ runId, signal: "go", data: { n: 3 } });
    await gateway.until(runId, "finished");
    expect((await client.getNode({ runId, nodeId: "end" })).output).toEqual({ n: 3 });
    expect((await client.listRuns({ workflow: "ask" })).runs.map((run) => run.workflowKey)).toEqual(["ask"]);
    expect((await client.listWorkflows()).workflows).toMatchObject([{ key: "ask", workflowName: "ask" }]);
    expect(await client.health()).toMatchObject({ ok: true, protocol: 1 });
  });

  it("rejects with the code, the message and the facts that the gateway sends", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)));
    const failure = await clientOf({ url })
      .getRun({ runId: "nobody" })
      .catch((error: unknown) => error);
    expect(ClientError.is(failure, "RUN_NOT_FOUND")).toBe(true);
    expect(ClientError.is(failure, "UNAUTHORIZED")).toBe(false);
    expect(failure).toMatchObject({ name: "ClientError", details: { runId: "nobody" } });
    await expect(clientOf({ url }).call("noSuchMethod")).rejects.toMatchObject({ code: "METHOD_NOT_FOUND" });
  });

  it("sends its token in a header, names the scope that it lacks, and is refused without one", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens: TOKENS },
    });
    const asked: string[] = [];
    const fetched: typeof fetch = (address, init) => {
      asked.push(String(address));
      return fetch(address, init);
    };
    const eve = clientOf({ url, token: "secret-of-eve", fetch: fetched });
    await expect(eve.listRuns()).resolves.toMatchObject({ runs: [] });
    const refusal = await eve
      .launchRun({ workflow: "twice", input: { n: 1 } })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "FORBIDDEN", requiredScope: "run:write" });
    expect(asked.join()).not.toContain("secret");
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain("secret");
    await expect(clientOf({ url }).listRuns()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("asks for its token anew at every call", async () => {
    const { url } = await openGateway((gateway, folder) => gateway.register("twice", doubling(folder)), {
      auth: { mode: "token", tokens: TOKENS },
    });
    let token = "secret-of-nobody";
    const client = clientOf({ url, token: async () => token });
    await expect(client.listRuns()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    token = "secret-of-ada";
    await expect(client.listRuns()).resolves.toMatchObject({ runs: [] });
  });

  it("says whose fault it is that the gateway was not asked", async () => {
    const cause = new Error("the session is over");
    const token = () => Promise.reject(cause);
    await expect(clientOf({ url: "http://127.0.0.1:1", token }).listRuns()).rejects.toMatchObject({
      code: "CLIENT_TOKEN_FAILED",
      message: "The function that gives the token failed: the session is over",
      cause,
    });
    await expect(clientOf({ url: "http://127.0.0.1:1" }).call("getRun", { n: 1n })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringMatching(/^The params of getRun are not JSON: /),
    });
  });

  it.each<[string, unknown, string]>([
    ["a number that is none", Number.NaN, "NaN"],
    ["a Map", new Map([["a", 1]]), "a Map"],
    ["a function", () => 1, "a function"],
  ])("loses nothing on the way: %s is refused, as where no gateway is between", async (_what, odd, named) => {
    const client = clientOf({ url: "http://127.0.0.1:1" });
    const refusal = {
      code: "INVALID_INPUT",
      message: expect.stringContaining(`"input.odd" is ${named}`),
      details: { path: "input.odd" },
    };
    await expect(client.launchRun({ workflow: "any", input: { odd } })).rejects.toMatchObject(refusal);
  });

  it("waits no longer for its token than for the answer", async () => {
    const client = clientOf({ url: "http://127.0.0.1:1", token: () => new Promise<string>(() => {}) });
    await expect(client.listRuns({}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "CLIENT_TIMEOUT" });
  });

  it("says that no host answers, or one that is no gateway", async () => {
    await expect(clientOf({ url: "http://127.0.0.1:1" }).listRuns()).rejects.toMatchObject({
      code: "CLIENT_CONNECTION_FAILED",
      details: { url: "http://127.0.0.1:1" },
    });
    const url = await otherServer((end) => end(404, "<h1>Not here</h1>"));
    await expect(clientOf({ url }).listRuns()).rejects.toMatchObject({
      code: "CLIENT_NOT_A_GATEWAY",
      message: "listRuns was answered with HTTP 404, not by a gateway: check the address.",
    });
  });

  it("gives a call up in time, when its caller does, and when it is closed", async () => {
    const url = await otherServer(() => {});
    const client = clientOf({ url });
    await expect(client.listRuns({}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "CLIENT_TIMEOUT" });
    const reason = { because: "the page is left" };
    await expect(client.listRuns({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const call = client.listRuns();
    client.close();
    await expect(call).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
    await expect(client.listRuns()).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
  });
});

it.each([Number.POSITIVE_INFINITY, 30 * 86_400_000])(
  "a call may take %d ms, which is more than setTimeout holds",
  async (timeoutMs) => {
    const url = await otherServer((end) =>
      setImmediate(() => end(200, JSON.stringify({ ok: true, payload: {} }))),
    );
    const setTimeout = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => setTimeout.mockRestore());
    await clientOf({ url })
      .listRuns({}, { timeoutMs })
      .catch(() => {});
    const delays = setTimeout.mock.calls.map(([, delay = 0]) => delay);
    expect(Math.max(...delays)).toBe(2 ** 31 - 1);
  },
);

describe("the address of a gateway", () => {
  it.each([
    ["http://127.0.0.1:7331", "http://127.0.0.1:7331"],
    ["https://example.org/treadle/", "https://example.org/treadle"],
  ])("%s is the base %s", (given, base) => {
    expect(clientOf({ url: given }).url).toBe(base);
  });

  it.each([
    "",
    "7331",
    "ftp://example.org",
    "http://ada:secret@example.org",
    "http://example.org/?token=secret",
  ])("%s is refused, without repeating it", (url) => {
    const make = () => createClient({ url });
    expect(make).toThrow(ClientError);
    expect(make).not.toThrow(/secret/);
  });

  it("has to be given outside of a page", () => {
    expect(() => createClient()).toThrow('createClient({ url: "http://127.0.0.1:7331" })');
  });
});
