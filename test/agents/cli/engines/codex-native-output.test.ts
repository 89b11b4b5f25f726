import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CodexAgent } from "../../../../src/agents/cli/index.js";
import { generateStructured } from "../../../../src/agents/structured/generate-structured.js";
import { createFakeTool, type FakeTool, type Step } from "../support/fake-tool.js";

let fake: FakeTool;
beforeEach(() => {
  fake = createFakeTool("codex");
});
afterEach(() => fake.remove());

const schema = z.object({ name: z.string(), size: z.number().int() });

const says = (text: string): Step => ({
  lines: [
    { type: "item.completed", item: { id: "1", type: "agent_message", text } },
    { type: "turn.completed" },
  ],
});

const ask = (agent: CodexAgent) =>
  generateStructured({ agent, prompt: "Describe it", schema, args: { rootDir: fake.cwd } });

describe("structured output of Codex", () => {
  it("is asked for in the prompt by default, since the agent keeps its tools then", async () => {
    fake.plays([says('It is this:\n```json\n{"name":"box","size":3}\n```')]);
    const agent = new CodexAgent({ env: fake.env });
    expect(agent.supportsNativeStructuredOutput).toBe(false);
    expect(await ask(agent)).toMatchObject({ row: { name: "box", size: 3 }, mode: "prompted" });
    expect(fake.lastCall().argv).not.toContain("--output-schema");
  });

  it("is left to the tool on demand, by a schema file", async () => {
    fake.plays([says('{"name":"box","size":3}')]);
    const agent = new CodexAgent({ env: fake.env, nativeStructuredOutput: true });
    expect(agent.supportsNativeStructuredOutput).toBe(true);
    expect(await ask(agent)).toMatchObject({ row: { name: "box", size: 3 }, mode: "native" });
    const { argv } = fake.lastCall();
    expect(argv[argv.indexOf("--output-schema") + 1]).toMatch(/schema\.json$/);
  });

  it("fails for good when the provider refuses the schema", async () => {
    const message = "Invalid schema for response_format 'codex_output_schema': 'required' is required";
    fake.plays([{ lines: [{ type: "turn.failed", error: { message } }] }, { exit: 1 }]);
    const agent = new CodexAgent({ env: fake.env, nativeStructuredOutput: true });
    await expect(ask(agent)).rejects.toMatchObject({ code: "AGENT_CONFIG_INVALID" });
  });
});
