import { asSchema, generateText, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV3, mockValues } from "ai/test";
import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  bash,
  createHttpTool,
  createToolContext,
  createTools,
  defineTool,
  edit,
  grep,
  read,
  runWithToolContext,
  write,
} from "../../src/tools/index.js";
import { workspace } from "./support/workspace.js";

type Answer = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

function callOf(toolName: string, input: unknown): Answer["content"][number] {
  return { type: "tool-call", toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) };
}

/** A model that makes these calls in its first step and ends in its second. */
function modelCalling(...calls: Answer["content"]) {
  const answer = (content: Answer["content"], unified: "tool-calls" | "stop"): Answer => ({
    content,
    finishReason: { unified, raw: undefined },
    usage,
    warnings: [],
  });
  const next = mockValues(answer(calls, "tool-calls"), answer([{ type: "text", text: "done" }], "stop"));
  return new MockLanguageModelV3({ doGenerate: async () => next() });
}

const order = defineTool({
  name: "order",
  description: "Orders something",
  schema: z.object({ item: z.string() }),
  execute: ({ item }, { nodeId, idempotencyKey }) => ({ item, nodeId, idempotencyKey }),
});

describe("tools in the AI SDK", () => {
  it("are called by a model, in the context of the task around the generation", async () => {
    const rootDir = await workspace({ "note.txt": "remember the milk\n" });
    const tools = { read, grep, order } satisfies ToolSet;
    const model = modelCalling(
      callOf("read", { path: "note.txt" }),
      callOf("grep", { pattern: "milk" }),
      callOf("order", { item: "milk" }),
    );
    const context = createToolContext({ rootDir, runId: "r", nodeId: "shop" });
    const { steps, text } = await runWithToolContext(context, () =>
      generateText({ model, tools, prompt: "go", stopWhen: stepCountIs(3) }),
    );
    expect(text).toBe("done");
    expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual([
      "remember the milk\n",
      "note.txt:1:remember the milk\n",
      { item: "milk", nodeId: "shop", idempotencyKey: "r:shop:0:order:1" },
    ]);
  });

  it("tell the model what went wrong, output of the command included", async () => {
    const tools = createTools({ rootDir: await workspace(), allowNetwork: true }) satisfies ToolSet;
    const model = modelCalling(callOf("bash", { cmd: "echo 'test 3 failed'; exit 1" }));
    await generateText({ model, tools, prompt: "go", stopWhen: stepCountIs(3) });
    const second = JSON.stringify(model.doGenerateCalls[1]?.prompt);
    expect(second).toContain("ended with exit code 1");
    expect(second).toContain("test 3 failed");
  });

  it("describe their input as a JSON Schema object", () => {
    for (const tool of [read, write, edit, grep, bash, createHttpTool(), order]) {
      expect(asSchema(tool.inputSchema as z.ZodType).jsonSchema).toMatchObject({
        type: "object",
        properties: expect.any(Object),
      });
      expect(tool.description).not.toBe("");
    }
  });

  it("say which of them change things", () => {
    const effects = [read, grep, write, edit, bash].map(({ name, sideEffect, idempotent }) => [
      name,
      sideEffect,
      idempotent,
    ]);
    expect(effects).toEqual([
      ["read", false, true],
      ["grep", false, true],
      ["write", true, true],
      ["edit", true, false],
      ["bash", true, false],
    ]);
  });

  it("take the description and headers of the HTTP tool's maker", () => {
    expect(createHttpTool({ description: "Talks to the shop" }).description).toBe("Talks to the shop");
  });

  it("do not load the SDK by themselves", async () => {
    const { metafile } = await build({
      entryPoints: [fileURLToPath(new URL("../../src/tools/index.ts", import.meta.url))],
      bundle: true,
      platform: "node",
      format: "esm",
      write: false,
      metafile: true,
      packages: "external",
    });
    const loaded = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path),
    );
    const packages = new Set(loaded.filter((path) => !path.startsWith("node:")));
    expect([...packages]).toEqual(["zod"]);
  });
});
