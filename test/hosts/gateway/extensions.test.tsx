import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/index.js";
import { type ExtensionContext, Gateway, type GatewayExtension } from "../../../src/hosts/gateway/index.js";
import { bearer, openGateway } from "./support/gateway.js";

const tokens = {
  reader: { role: "r", scopes: ["run:read"], userId: "ada" },
  writer: { role: "r", scopes: ["run:write"] },
  scheduler: { role: "r", scopes: ["cron:read"] },
};

async function extended(definition: GatewayExtension) {
  const { rpc } = await openGateway((gateway) => gateway.extend("own", definition), {
    auth: { mode: "token", tokens },
  });
  return (key: string, params: unknown, token: keyof typeof tokens) =>
    rpc(`ext.own.${key}`, params, bearer(token));
}

describe("an extension of a gateway", () => {
  it("answers with what its handlers return, which know the caller", async () => {
    const seen: ExtensionContext[] = [];
    const call = await extended({
      queries: {
        echo: {
          handler(params, ctx) {
            seen.push(ctx);
            return { params };
          },
        },
        nothing: { handler: async () => undefined },
      },
    });
    expect(await call("echo", { a: [1] }, "reader")).toMatchObject({
      status: 200,
      body: { params: { a: [1] } },
    });
    expect(seen).toMatchObject([{ namespace: "own", key: "echo", caller: { userId: "ada", role: "r" } }]);
    expect(seen[0]?.signal).toBeInstanceOf(AbortSignal);
    expect(await call("nothing", {}, "reader")).toMatchObject({ status: 200, body: null });
  });

  it("needs run:read for queries and run:write for actions, unless it says another scope", async () => {
    const handler = () => ({});
    const call = await extended({
      queries: { look: { handler }, times: { handler, scope: "cron:read" } },
      actions: { act: { handler } },
    });
    const statuses = async (key: string) => ({
      reader: (await call(key, {}, "reader")).status,
      writer: (await call(key, {}, "writer")).status,
      scheduler: (await call(key, {}, "scheduler")).status,
    });
    expect(await statuses("look")).toEqual({ reader: 200, writer: 200, scheduler: 403 });
    expect(await statuses("act")).toEqual({ reader: 403, writer: 200, scheduler: 403 });
    expect(await statuses("times")).toEqual({ reader: 403, writer: 403, scheduler: 200 });
  });

  it("fails with the code of its error, and without the text of any other", async () => {
    const call = await extended({
      queries: {
        refuses: {
          handler() {
            throw new ServiceError("NODE_NOT_FOUND", "There is no such thing.");
          },
        },
        breaks: {
          handler() {
            throw new TypeError("the password is swordfish");
          },
        },
        unsendable: { handler: () => ({ n: 1n }) },
      },
    });
    expect(await call("refuses", {}, "reader")).toMatchObject({
      status: 404,
      body: { error: { code: "NODE_NOT_FOUND" } },
    });
    for (const key of ["breaks", "unsendable"]) {
      const answer = await call(key, {}, "reader");
      expect(answer).toMatchObject({ status: 500, body: { error: { code: "INTERNAL_ERROR" } } });
      expect(JSON.stringify(answer.body)).not.toContain("swordfish");
    }
  });

  it("keeps its streams for WebSockets", async () => {
    const call = await extended({ streams: { ticks: { handler: async function* () {} } } });
    expect(await call("ticks", {}, "reader")).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("WebSocket") } },
    });
  });

  it.each<[string, unknown]>([
    ["Own", {}],
    ["", {}],
    ["a.b", {}],
    ["own", { queries: { "a.b": { handler: () => 1 } } }],
    ["own", { queries: { a: {} } }],
    ["own", { queries: { a: { handler: 5 } } }],
    ["own", { queries: { a: { handler: () => 1, scope: "all" } } }],
    ["own", { queries: { a: { handler: () => 1 } }, actions: { a: { handler: () => 1 } } }],
    ["own", null],
  ])("named %j is refused when it is %j", (namespace, definition) => {
    expect(() => new Gateway().extend(namespace, definition as GatewayExtension)).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("has a name of its own", () => {
    expect(() => new Gateway().extend("own", {}).extend("own", {})).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT" }),
    );
  });

  it("hears at once that the gateway closes, and its last answer is sent", async () => {
    let begun: () => void = () => {};
    const waits = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { gateway, rpc } = await openGateway((gateway) =>
      gateway.extend("own", {
        queries: {
          wait: {
            handler: (_params, { signal }) =>
              new Promise((resolve) => {
                signal.addEventListener("abort", () => resolve({ until: "closed" }));
                begun();
              }),
          },
        },
      }),
    );
    const answer = rpc("ext.own.wait");
    await waits;
    await gateway.close();
    expect(await answer).toMatchObject({ status: 200, body: { until: "closed" } });
  });
});
