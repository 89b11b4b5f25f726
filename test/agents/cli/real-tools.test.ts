import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type BaseCliAgentOptions,
  ClaudeCodeAgent,
  CodexAgent,
  KimiAgent,
  OpenCodeAgent,
  PiAgent,
} from "../../../src/agents/cli/index.js";
import type { AgentCliEvent, AgentLike, TokenUsage } from "../../../src/model/agent.js";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

/*
 * Drives the tools themselves against a model server on loopback. They are large downloads, so this runs
 * on demand only: install them anywhere and name the folder of their commands.
 *
 *   npm install --prefix /some/where @anthropic-ai/claude-code @openai/codex @earendil-works/pi-coding-agent opencode-ai @moonshot-ai/kimi-code
 *   REAL_AGENT_COMMANDS=/some/where/node_modules/.bin npx vitest run test/agents/cli/real-tools.test.ts
 */
const COMMANDS = process.env["REAL_AGENT_COMMANDS"] ?? "";

let home: string;
let work: string;
let server: ModelServer | undefined;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "treadle-real-tools-"));
  [home, work] = ["home", "work"].map((name) => join(folder, name)) as [string, string];
  for (const path of [home, work]) mkdirSync(path);
});
afterEach(async () => {
  await server?.close();
  rmSync(join(home, ".."), { recursive: true, force: true });
});

const environment = () => ({ PATH: `${COMMANDS}:${process.env["PATH"]}`, HOME: home });

type SharedOptions = Pick<BaseCliAgentOptions, "quotaPatience" | "instructions">;

interface RealTool {
  command: string;
  create(baseURL: string, options?: SharedOptions): AgentLike;
  /** Name of the tool that runs a command, and its input. */
  shell: { name: string; input: object };
  /** Whether it gives up at once when the provider says that the quota is used up. */
  tellsQuota: boolean;
  limitsTools: boolean;
  tellsTokens: boolean;
}

const TOOLS: readonly RealTool[] = [
  {
    command: "claude",
    create: (baseURL, options) =>
      new ClaudeCodeAgent({
        ...options,
        apiKey: "sk-ant-loopback",
        allowedTools: ["Bash"],
        env: {
          ...environment(),
          ANTHROPIC_BASE_URL: baseURL.replace(/\/v1$/, ""),
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          CLAUDE_CODE_MAX_RETRIES: "0",
        },
      }),
    shell: { name: "Bash", input: { command: "echo from-the-shell", description: "Say it" } },
    tellsQuota: true,
    limitsTools: true,
    tellsTokens: true,
  },
  {
    command: "codex",
    create: (baseURL, options) =>
      new CodexAgent({
        ...options,
        model: "gpt-5",
        sandbox: "danger-full-access",
        env: { ...environment(), CODEX_HOME: home, LOOPBACK_KEY: "sk-loopback" },
        config: {
          model_provider: "loopback",
          "model_providers.loopback.name": "loopback",
          "model_providers.loopback.base_url": baseURL,
          "model_providers.loopback.env_key": "LOOPBACK_KEY",
          "model_providers.loopback.wire_api": "responses",
          "model_providers.loopback.request_max_retries": 0,
          "model_providers.loopback.stream_max_retries": 0,
        },
      }),
    shell: { name: "exec_command", input: { cmd: "echo from-the-shell" } },
    tellsQuota: true,
    limitsTools: false,
    tellsTokens: true,
  },
  {
    command: "pi",
    create(baseURL, options) {
      const folder = join(home, ".pi", "agent");
      mkdirSync(folder, { recursive: true });
      const loopback = {
        baseUrl: baseURL,
        api: "openai-completions",
        apiKey: "LOOPBACK_KEY",
        models: [{ id: "m1" }],
      };
      writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { loopback } }));
      const env = { ...environment(), PI_OFFLINE: "1", LOOPBACK_KEY: "sk-loopback" };
      return new PiAgent({ ...options, provider: "loopback", model: "m1", mode: "rpc", env });
    },
    shell: { name: "bash", input: { command: "echo from-the-shell" } },
    tellsQuota: false,
    limitsTools: true,
    tellsTokens: true,
  },
  {
    command: "opencode",
    create(baseURL, options) {
      const loopback = {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL, apiKey: "sk-loopback" },
        models: { m1: { name: "m1" } },
      };
      const config = JSON.stringify({ provider: { loopback } });
      const env = { ...environment(), OPENCODE_CONFIG_CONTENT: config, OPENCODE_DISABLE_MODELS_FETCH: "1" };
      return new OpenCodeAgent({ ...options, model: "loopback/m1", yolo: true, env });
    },
    shell: { name: "bash", input: { command: "echo from-the-shell", description: "Say it" } },
    tellsQuota: false,
    limitsTools: true,
    tellsTokens: true,
  },
  {
    command: "kimi",
    create(baseURL, options) {
      const folder = join(home, ".kimi-code");
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, "config.toml"),
        [
          'default_model = "m1"',
          "[models.m1]",
          'provider = "loopback"',
          'model = "m1"',
          "max_context_size = 100000",
          "[providers.loopback]",
          'type = "openai"',
          `base_url = "${baseURL}"`,
          'api_key = "sk-loopback"',
        ].join("\n"),
      );
      return new KimiAgent({ ...options, env: environment() });
    },
    shell: { name: "Bash", input: { command: "echo from-the-shell" } },
    tellsQuota: false,
    limitsTools: false,
    tellsTokens: false,
  },
];

const isInstalled = ({ command }: RealTool) => COMMANDS !== "" && existsSync(join(COMMANDS, command));

for (const tool of TOOLS) {
  describe.skipIf(!isInstalled(tool))(`the real ${tool.command}`, { timeout: 120_000 }, () =>
    realToolSuite(tool),
  );
}

/** Claude Code offers one that does nothing where it has others to look up. */
const isPlaceholder = (name: string) => name === "DeferredToolPlaceholder";

function realToolSuite(tool: RealTool): void {
  async function start(script: Script, options?: SharedOptions): Promise<AgentLike> {
    server = await startModelServer(script);
    return tool.create(server.baseURL, options);
  }

  /** Has the command run where the tools are offered and that has not been done, then answers. */
  const working: Script = ({ tools, body }) =>
    tools.includes(tool.shell.name) && !JSON.stringify(body).includes("from-the-shell")
      ? { toolCalls: [tool.shell], usage: { input: 10, output: 3 } }
      : { text: "All done.", usage: { input: 20, output: 5 } };

  it("passes its start-up check", async () => {
    await expect((await start([])).preflight?.({ rootDir: work })).resolves.toBeUndefined();
  });

  it("works, answers, and continues its conversation", async () => {
    const agent = await start(working);
    const events: AgentCliEvent[] = [];
    const call = { rootDir: work, onEvent: (event: AgentCliEvent) => events.push(event) };
    const first = (await agent.generate({ ...call, prompt: "Run the command" })) as Record<string, unknown>;
    expect(first["text"]).toBe("All done.");
    expect(typeof (first["usage"] as TokenUsage | undefined)?.inputTokens).toBe(
      tool.tellsTokens ? "number" : "undefined",
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        phase: "completed",
        ok: true,
        message: expect.stringContaining("from-the-shell"),
      }),
    );
    const sessionId = first["sessionId"] as string;
    expect(sessionId).toBeTypeOf("string");
    const second = (await agent.generate({
      ...call,
      prompt: "And now?",
      resumeSession: sessionId,
    })) as Record<string, unknown>;
    expect(second["sessionId"]).toBe(sessionId);
    expect(JSON.stringify(server?.requests.at(-1)?.body)).toContain("Run the command");
  });

  it("forks its conversation twice at once; the forks and the first one know nothing of each other", async () => {
    const agent = await start(() => ({ text: "All done." }));
    const ask = (prompt: string, more: object = {}) =>
      agent.generate({ rootDir: work, prompt, ...more }) as Promise<Record<string, unknown>>;
    const resumeSession = (await ask("The beginning"))["sessionId"] as string;
    const forks = await Promise.all(
      ["Left turn", "Right turn"].map((prompt) => ask(prompt, { resumeSession, forkSession: true })),
    );
    const heard = (prompt: string) =>
      JSON.stringify(
        server?.requests.findLast(({ body }) => JSON.stringify(body).includes(prompt))?.body ?? null,
      );
    expect(new Set([resumeSession, ...forks.map(({ sessionId }) => sessionId)]).size).toBe(3);
    expect(heard("Left turn")).toContain("The beginning");
    expect(heard("Left turn")).not.toContain("Right turn");
    expect(heard("Right turn")).toContain("The beginning");
    await ask("Straight on", { resumeSession });
    expect(heard("Straight on")).toContain("The beginning");
    expect(heard("Straight on")).not.toMatch(/Left turn|Right turn/);
  });

  it("hears the instructions of the agent that forks its conversation, also in what follows", async () => {
    const first = await start(() => ({ text: "All done." }), { instructions: "Use metres." });
    const second = tool.create(server?.baseURL ?? "", { instructions: "Use feet." });
    const ask = (agent: AgentLike, more: object) =>
      agent.generate({ rootDir: work, ...more }) as Promise<{ sessionId?: string }>;
    const { sessionId } = await ask(first, { prompt: "The beginning" });
    const fork = await ask(second, { prompt: "Left turn", resumeSession: sessionId, forkSession: true });
    await ask(second, { prompt: "Right turn", resumeSession: fork.sessionId });
    for (const prompt of ["Left turn", "Right turn"]) {
      const heard = server?.requests.filter(({ body }) => JSON.stringify(body).includes(prompt));
      expect(JSON.stringify(heard?.at(-1)?.body)).toContain("Use feet.");
    }
  });

  it.runIf(tool.limitsTools)("offers the model no tools but those allowed", async () => {
    const agent = await start(() => ({ text: "All done." }));
    await agent.generate({ prompt: "Hello", rootDir: work, allowTools: [tool.shell.name] });
    const offered = server?.requests.map(({ tools }) => tools.filter((name) => !isPlaceholder(name)));
    expect(offered?.filter((tools) => tools.length > 0)).toEqual([[tool.shell.name]]);
    await agent.generate({ prompt: "Hello", rootDir: work, cliAgentToolsDefault: "explicit-only" });
    const left = server?.requests.at(-1)?.tools.filter((name) => !isPlaceholder(name));
    expect(left?.filter((name) => name !== tool.shell.name)).toEqual([]);
  });

  it("is refused with a wrong key", async () => {
    const agent = await start(() => ({
      status: 401,
      message: "Incorrect API key provided",
      type: "invalid_api_key",
    }));
    await expect(agent.generate({ prompt: "Hello", rootDir: work })).rejects.toMatchObject({
      code: "AGENT_CONFIG_INVALID",
      details: { reason: "auth" },
    });
  });

  it.runIf(tool.tellsQuota)("runs out of quota", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const agent = await start(() => ({ status: 429, message, type: "insufficient_quota" }));
    await expect(agent.generate({ prompt: "Hello", rootDir: work })).rejects.toMatchObject({
      code: "AGENT_QUOTA_EXCEEDED",
    });
  });

  it("is ended with the reason when its provider continues refusing", async () => {
    const refuse = () => ({ status: 429, message: "Rate limit reached for requests", type: "rate_limit" });
    const agent = await start(refuse, { quotaPatience: "3s" });
    await expect(agent.generate({ prompt: "Hello", rootDir: work })).rejects.toMatchObject({
      code: "AGENT_QUOTA_EXCEEDED",
    });
  });

  it("drops a conversation that is gone", async () => {
    const agent = await start(working);
    const resumeSession = "0199a213-81c0-7800-8aa1-bbab2a035a53";
    await expect(agent.generate({ prompt: "Hello", rootDir: work, resumeSession })).rejects.toMatchObject({
      details: { reason: "session" },
    });
  });

  it("stops at once when it is aborted", async () => {
    const agent = await start(() => ({ silent: true }));
    const controller = new AbortController();
    const pending = agent.generate({ prompt: "Hello", rootDir: work, abortSignal: controller.signal });
    pending.catch(() => undefined);
    while (server?.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: "PROCESS_ABORTED" });
  });
}
