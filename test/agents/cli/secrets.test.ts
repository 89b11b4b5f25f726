import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  AntigravityAgent,
  type BaseCliAgent,
  type BaseCliAgentOptions,
  ClaudeCodeAgent,
  CodexAgent,
  GeminiAgent,
  PiAgent,
} from "../../../src/agents/cli/index.js";
import { serializeError } from "../../../src/errors/ensure-error.js";
import { TOOLS } from "./support/engines.js";
import { createFakeTool, type FakeTool, type Scenario } from "./support/fake-tool.js";

let fake: FakeTool;
afterEach(() => fake.remove());

/** Every text that leaves a generation, whether it ends well or not. */
async function traces(agent: BaseCliAgent, scenario: Scenario): Promise<string> {
  fake.plays(scenario);
  const traces: unknown[] = [];
  const keep = (trace: unknown) => traces.push(trace);
  await agent
    .generate({ prompt: "Hello", rootDir: fake.cwd, onEvent: keep, onStdout: keep, onStderr: keep })
    .then(keep, (error: unknown) => keep(serializeError(error)));
  return JSON.stringify(traces);
}

const SECRETS = [
  "planted-key-0001",
  "planted-env-0002",
  'planted-"quoted"-0003',
  "planted-arg-0004",
] as const;
const LEAK = `I found ${SECRETS.join(" and ")}. Here: ${JSON.stringify({ all: SECRETS })}`;
/** A secret that stands across the place where texts are cut. */
const STRADDLING = `${"x".repeat(16_380)}${SECRETS[0]}${"x".repeat(300)}`;

describe.each(TOOLS)("secrets in the options of $command", (tool) => {
  const create = (options: Record<string, unknown>) =>
    tool.create({
      env: { ...fake.env, SERVICE_PASSWORD: SECRETS[1], OTHER: SECRETS[2] },
      extraArgs: ["--some-token", SECRETS[3]],
      ...options,
    });
  const keyed = tool.engine === "pi" ? { provider: "anthropic", apiKey: SECRETS[0] } : { apiKey: SECRETS[0] };
  const takesKey = ["claude-code", "codex", "antigravity", "gemini", "pi"].includes(tool.engine);
  const options = takesKey ? keyed : { systemPrompt: "none" };
  const planted = takesKey ? SECRETS : SECRETS.slice(1);

  it("reach the tool", async () => {
    fake = createFakeTool(tool.command);
    await traces(create(options), { steps: tool.answers("ok") });
    const { env, argv } = fake.lastCall();
    for (const secret of planted.slice(0, -1)) expect(Object.values(env)).toContain(secret);
    if (takesKey) expect(argv.join(" ")).not.toContain(SECRETS[0]);
  });

  it("do not come back in answers, events and output", async () => {
    fake = createFakeTool(tool.command);
    const steps = [{ err: `${LEAK}\n` }, ...tool.answers(`${LEAK}\n${STRADDLING}`)];
    const text = await traces(create(options), { steps });
    expect(text).toContain("I found");
    for (const secret of planted) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    if (takesKey) expect(text).not.toContain(SECRETS[0].slice(0, -4));
  });

  it("do not come back in errors", async () => {
    fake = createFakeTool(tool.command);
    const text = await traces(create(options), { steps: [{ err: `${LEAK}\n` }, ...tool.fails(LEAK)] });
    expect(text).toContain("I found");
    for (const secret of planted) expect(text).not.toContain(secret.slice(0, 12));
  });
});

describe("secrets deep in options", () => {
  const SECRET = "planted-deep-0005";
  const leak = [{ out: `found ${SECRET}\n` }, { err: `found ${SECRET}\n` }, { exit: 1 }];

  it.each([
    ["claude", () => new ClaudeCodeAgent({ env: fake.env, mcpConfig: `{"s":{"env":{"X":"${SECRET}"}}}` })],
    ["codex", () => new CodexAgent({ env: fake.env, config: { "mcp_servers.x.bearer_token": SECRET } })],
    ["agy", () => new AntigravityAgent({ env: fake.env, apiKey: SECRET })],
    ["gemini", () => new GeminiAgent({ env: fake.env, apiKey: SECRET })],
    ["pi", () => new PiAgent({ env: fake.env, provider: "openai", apiKey: SECRET })],
  ] as readonly (readonly [string, () => unknown])[])(
    "stay unknown to the world: %s",
    async (command, create) => {
      fake = createFakeTool(command);
      const agent = create() as BaseCliAgent<BaseCliAgentOptions>;
      expect(await traces(agent, { steps: leak })).not.toContain(SECRET);
    },
  );

  it("are not in the command that resumes a conversation", () => {
    fake = createFakeTool("claude");
    const agent = new ClaudeCodeAgent({ env: fake.env, apiKey: SECRET, configDir: "/conf" });
    const command = agent.resumeCommand("s1");
    expect(JSON.stringify(command)).not.toContain(SECRET);
    expect(command?.env).toEqual({ CLAUDE_CONFIG_DIR: "/conf" });
  });

  it("are not shown when an agent is logged", () => {
    fake = createFakeTool("claude");
    const agent = new ClaudeCodeAgent({ env: fake.env, apiKey: SECRET });
    expect(JSON.stringify(agent)).not.toContain(SECRET);
  });
});

describe("what leads to this program's own database and hosts", () => {
  const OWN = {
    SERVICE_DB: "/work/service.db",
    SERVICE_API_KEY: "planted-host-0005",
    SERVICE_GATEWAY: "http://127.0.0.1:7331",
    SERVICE_GATEWAY_TOKEN: "planted-gateway-0006",
  };

  it("does not reach the tool, unless the options name it, and is not repeated by it", async () => {
    for (const [name, value] of Object.entries(OWN)) vi.stubEnv(name, value);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    fake = createFakeTool("claude");
    const tool = TOOLS.find(({ command }) => command === "claude");
    if (tool === undefined) throw new Error("there is no such tool");
    const answer = { steps: tool.answers("I have found planted-host-0005.") };
    const said = await traces(tool.create({ env: fake.env }), answer);
    expect(Object.keys(OWN).filter((name) => name in fake.lastCall().env)).toEqual([]);
    expect(said).not.toContain("planted-host-0005");
    await traces(tool.create({ env: { ...fake.env, SERVICE_GATEWAY: OWN.SERVICE_GATEWAY } }), answer);
    expect(fake.lastCall().env["SERVICE_GATEWAY"]).toBe(OWN.SERVICE_GATEWAY);
  });
});
