import { generateText, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import {
  createOpenApiTools,
  createOpenApiToolsSync,
  type OpenApiToolsOptions,
} from "../../src/openapi/index.js";
import { closedPort, json, startLoopback } from "./support/loopback-server.js";
import { specOf } from "./support/spec-builder.js";

const spec = specOf({
  "/pets/{petId}": {
    get: {
      operationId: "pets/get",
      summary: "One pet",
      parameters: [{ name: "petId", in: "path", required: true, schema: { type: "integer" } }],
    },
  },
});

/** A model that calls `pets_get` with this input and then answers "done". */
function modelCalling(input: unknown) {
  let step = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      step += 1;
      const usage = {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      };
      const finish = (unified: "tool-calls" | "stop") => ({ unified, raw: undefined });
      return step === 1
        ? {
            content: [
              { type: "tool-call", toolCallId: "c1", toolName: "pets_get", input: JSON.stringify(input) },
            ],
            finishReason: finish("tool-calls"),
            usage,
            warnings: [],
          }
        : { content: [{ type: "text", text: "done" }], finishReason: finish("stop"), usage, warnings: [] };
    },
  });
}

async function conversation(input: unknown, options: OpenApiToolsOptions) {
  // The assignment is the test that the types fit.
  const tools: ToolSet = await createOpenApiTools(spec, options);
  const model = modelCalling(input);
  const { content, steps, text } = await generateText({
    model,
    tools,
    prompt: "Which pet is 7?",
    stopWhen: stepCountIs(3),
  });
  return { model, text, parts: [...(steps[0]?.content ?? []), ...content] };
}

describe("a tool-loop of the AI SDK", () => {
  it("shows the model the name, the description and the input as JSON Schema", async () => {
    const { origin } = await startLoopback(json({}));
    const { model } = await conversation({ petId: 7 }, { baseUrl: origin });
    expect(model.doGenerateCalls[0]?.tools).toEqual([
      {
        type: "function",
        name: "pets_get",
        description: "One pet",
        inputSchema: expect.objectContaining({
          type: "object",
          properties: { petId: expect.objectContaining({ type: "integer" }) },
          required: ["petId"],
          additionalProperties: false,
        }),
      },
    ]);
  });

  it("calls the API and gives the model the body", async () => {
    const server = await startLoopback(json({ id: 7, name: "Tama" }));
    const { parts, text } = await conversation({ petId: 7 }, { baseUrl: server.origin });
    expect(server.last().target).toBe("/pets/7");
    expect(parts).toContainEqual(
      expect.objectContaining({ type: "tool-result", toolName: "pets_get", output: { id: 7, name: "Tama" } }),
    );
    expect(text).toBe("done");
  });

  it("gives the model a failure of the API as a result", async () => {
    const { origin } = await startLoopback(json({ detail: "no such pet" }, 404));
    const { parts } = await conversation({ petId: 7 }, { baseUrl: origin });
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: "tool-result",
        output: expect.objectContaining({ error: true, httpStatus: 404 }),
      }),
    );
  });

  it("tells the model of a transport failure and continues", async () => {
    const { parts, text } = await conversation(
      { petId: 7 },
      { baseUrl: `http://127.0.0.1:${await closedPort()}` },
    );
    expect(parts).toContainEqual(
      expect.objectContaining({
        type: "tool-error",
        error: expect.objectContaining({ code: "OPENAPI_TOOL_EXECUTION_FAILED" }),
      }),
    );
    expect(text).toBe("done");
  });

  it("refuses an input that does not fit before anything is sent", async () => {
    const server = await startLoopback();
    const { parts } = await conversation({ petId: "seven" }, { baseUrl: server.origin });
    expect(parts).toContainEqual(expect.objectContaining({ type: "tool-error", toolName: "pets_get" }));
    expect(server.requests).toEqual([]);
  });

  it("aborts the request with its signal", async () => {
    const controller = new AbortController();
    const server = await startLoopback(() => controller.abort());
    const tools = createOpenApiToolsSync(spec, { baseUrl: server.origin });
    const conversation = generateText({
      model: modelCalling({ petId: 7 }),
      tools,
      prompt: "Which pet is 7?",
      abortSignal: controller.signal,
      stopWhen: stepCountIs(3),
    });
    await expect(conversation).rejects.toThrow(/abort/i);
  });
});

it("a tool is a plain object with the three members the AI SDK needs", () => {
  const [tool] = Object.values(createOpenApiToolsSync(spec));
  expect(Object.keys(tool ?? {}).sort()).toEqual(["description", "execute", "inputSchema"]);
});
