import { describe, expect, it } from "vitest";
import {
  createOpenApiToolSync,
  createOpenApiToolsSync,
  describeOperations,
  type OpenApiToolsOptions,
  type OpenApiWarning,
} from "../../src/openapi/index.js";
import { startLoopback } from "./support/loopback-server.js";
import { specOfOne } from "./support/spec-builder.js";

const cookie = (required: boolean) => ({
  parameters: [{ name: "session", in: "cookie", required, schema: { type: "string" } }],
});
const body = (required: boolean, ...mediaTypes: string[]) => ({
  requestBody: { required, content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }])) },
});

/** Makes the tool of POST /things and collects what is reported about it. */
function make(operation: Record<string, unknown>, options: OpenApiToolsOptions = {}, method = "post") {
  const warnings: OpenApiWarning[] = [];
  const tool = createOpenApiToolSync(specOfOne(operation, { method }), "call", {
    ...options,
    onWarning: (warning) => warnings.push(warning),
  });
  return { tool, warnings };
}

const cannotBeCalled = (reason: RegExp) =>
  expect.objectContaining({
    code: "OPENAPI_TOOL_EXECUTION_FAILED",
    retryable: false,
    details: { operationId: "call", method: "POST", path: "/things" },
    message: expect.stringMatching(reason),
  });

describe("a cookie parameter", () => {
  it("is not part of the input", () => {
    const { tool } = make(cookie(false));
    expect(tool.inputSchema.safeParse({ session: "x" }).success).toBe(false);
  });

  it("is reported, and the model reads of it", () => {
    const { tool, warnings } = make(cookie(false));
    const message = 'The cookie parameter "session" is not sent.';
    expect(warnings).toEqual([{ kind: "cookie-parameter", operationId: "call", message }]);
    expect(tool.description).toContain(`Note: ${message}`);
  });

  it("does not keep the operation from being called when it is optional", async () => {
    const server = await startLoopback();
    await make(cookie(false), { baseUrl: server.origin }).tool.execute({});
    expect(server.last().headers).not.toHaveProperty("cookie");
  });

  it("makes every call fail before anything is sent when it is required", async () => {
    const server = await startLoopback();
    const { tool } = make(cookie(true), { baseUrl: server.origin });
    await expect(tool.execute({})).rejects.toEqual(
      cannotBeCalled(/cannot be called: The required cookie parameter "session" is not sent/),
    );
    expect(server.requests).toEqual([]);
  });

  it("is no obstacle when the operator's headers bring the cookies", async () => {
    const server = await startLoopback();
    const { tool, warnings } = make(cookie(true), {
      baseUrl: server.origin,
      headers: { Cookie: "session=abc" },
    });
    await tool.execute({});
    expect(server.last().headers.cookie).toBe("session=abc");
    expect(warnings).toEqual([]);
  });
});

describe("a request body that is not JSON", () => {
  const kinds = [
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/xml",
    "application/octet-stream",
    "application/x-ndjson",
  ];

  it.each(kinds)("of type %s is reported, and the model reads of it", (type) => {
    const { tool, warnings } = make(body(false, type));
    const message = `The request body is ${type}, and only JSON bodies can be sent.`;
    expect(warnings).toEqual([{ kind: "request-body", operationId: "call", message }]);
    expect(tool.description).toContain(`Note: ${message}`);
    expect(tool.inputSchema.safeParse({ body: "x" }).success).toBe(false);
  });

  it("does not keep the operation from being called when it is optional", async () => {
    const server = await startLoopback();
    await make(body(false, "text/plain"), { baseUrl: server.origin }).tool.execute({});
    expect(server.last().body).toBe("");
  });

  it("makes every call fail before anything is sent when it is required", async () => {
    const server = await startLoopback();
    const { tool } = make(body(true, "multipart/form-data", "text/csv"), { baseUrl: server.origin });
    await expect(tool.execute({})).rejects.toEqual(
      cannotBeCalled(/required request body is multipart\/form-data or text\/csv/),
    );
    expect(server.requests).toEqual([]);
  });

  it("is no matter when JSON is offered as well", () => {
    expect(make(body(true, "multipart/form-data", "application/json")).warnings).toEqual([]);
  });
});

describe("a request body is reported and not sent", () => {
  it("when the method is GET", async () => {
    const server = await startLoopback();
    const { tool, warnings } = make(body(true, "application/json"), { baseUrl: server.origin }, "get");
    expect(warnings.map(({ kind, message }) => [kind, message])).toEqual([
      ["request-body", "The request body of a GET request is not sent."],
    ]);
    // Documents often describe an empty one; that is nothing a model has to know.
    expect(tool.description).toBe("GET /things");
    await tool.execute({});
    expect(server.last().method).toBe("GET");
  });

  it("when its reference leads nowhere", () => {
    const { warnings } = make({ requestBody: { $ref: "#/components/requestBodies/Gone" } });
    expect(warnings.map(({ kind }) => kind)).toEqual(["request-body"]);
  });

  it("when it has no media type", () => {
    expect(make({ requestBody: { content: {} } }).warnings[0]?.message).toBe(
      "The request body has no media type and is not sent.",
    );
  });
});

it("describeOperations tells which operations cannot be called, and why", async () => {
  const spec = specOfOne(body(true, "text/plain"), { method: "post" });
  const [described] = await describeOperations(spec);
  expect(described).toMatchObject({ callable: false, included: true, deprecated: false });
  expect(described?.warnings.map(({ kind }) => kind)).toEqual(["request-body"]);
});

it("an operation that cannot be called still has a tool", () => {
  expect(Object.keys(createOpenApiToolsSync(specOfOne(cookie(true))))).toEqual(["call"]);
});
