import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createOpenApiToolSync,
  OPENAPI_CALL_CHANNEL,
  type OpenApiCall,
  type OpenApiToolsOptions,
} from "../../src/openapi/index.js";
import { type Answer, closedPort, json, startLoopback } from "./support/loopback-server.js";
import { specOf } from "./support/spec-builder.js";

const spec = specOf({ "/pets/{petId}": { get: { operationId: "pets/get" } } });

/** Calls the tool once and returns the arguments of `onCall`. */
async function callsOf(baseUrl: string, options: OpenApiToolsOptions = {}, input = { petId: "1" }) {
  const calls: OpenApiCall[] = [];
  const tool = createOpenApiToolSync(spec, "pets/get", {
    baseUrl,
    ...options,
    onCall: (call) => calls.push(call),
  });
  await tool.execute(input).catch(() => {});
  return calls;
}

const answeredWith = async (answer: Answer) => (await startLoopback(answer)).origin;

const call = {
  operationId: "pets/get",
  method: "GET",
  path: "/pets/{petId}",
  durationMs: expect.any(Number),
};

describe("`onCall` is called once about", () => {
  it("a success", async () => {
    expect(await callsOf(await answeredWith(json({})))).toStrictEqual([
      { ...call, status: "success", httpStatus: 200 },
    ]);
  });

  it("a failure of the API", async () => {
    expect(await callsOf(await answeredWith(json({}, 404)))).toStrictEqual([
      { ...call, status: "error", httpStatus: 404 },
    ]);
  });

  it("a response that is too large", async () => {
    const origin = await answeredWith(json("xxx"));
    expect(await callsOf(origin, { maxResponseBytes: 1 })).toStrictEqual([
      { ...call, status: "error", httpStatus: 200 },
    ]);
  });

  it("a call without an answer", async () => {
    expect(await callsOf(`http://127.0.0.1:${await closedPort()}`)).toStrictEqual([
      { ...call, status: "error" },
    ]);
  });

  it("a call that was not made", async () => {
    expect(await callsOf(await answeredWith(json({})), {}, {} as { petId: string })).toStrictEqual([
      { ...call, status: "error" },
    ]);
  });

  it("a call that was aborted", async () => {
    const calls: OpenApiCall[] = [];
    const tool = createOpenApiToolSync(spec, "pets/get", {
      baseUrl: "http://127.0.0.1:9",
      onCall: (entry) => calls.push(entry),
    });
    await tool.execute({ petId: "1" }, { abortSignal: AbortSignal.abort() }).catch(() => {});
    expect(calls).toStrictEqual([{ ...call, status: "error" }]);
  });
});

it("what `onCall` throws does not change how the call ended", async () => {
  const tool = createOpenApiToolSync(spec, "pets/get", {
    baseUrl: await answeredWith(json({ id: 1 })),
    onCall() {
      throw new TypeError("broken metric");
    },
  });
  expect(await tool.execute({ petId: "1" })).toEqual({ id: 1 });
});

it("every call is published on the diagnostics channel, in the async context of the call", async () => {
  const run = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const subscriber = (message: unknown) => seen.push([run.getStore(), message]);
  subscribe(OPENAPI_CALL_CHANNEL, subscriber);
  onTestFinished(() => void unsubscribe(OPENAPI_CALL_CHANNEL, subscriber));
  const tool = createOpenApiToolSync(spec, "pets/get", { baseUrl: await answeredWith(json({})) });
  await run.run("run-1", () => tool.execute({ petId: "1" }));
  expect(seen).toEqual([["run-1", { ...call, status: "success", httpStatus: 200 }]]);
});
