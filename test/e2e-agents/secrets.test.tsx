import { afterEach, describe, expect, it, vi } from "vitest";
import { AnthropicAgent } from "../../src/agents/sdk/anthropic-agent.js";
import { CompatAgent } from "../../src/agents/sdk/compat-agent.js";
import { OpenAIAgent } from "../../src/agents/sdk/openai-agent.js";
import type { AgentLike } from "../../src/index.js";
import { createOpenApiTools, type OpenApiAuth } from "../../src/openapi/index.js";
import { createHttpTool } from "../../src/tools/index.js";
import { TOOLS } from "../agents/cli/support/engines.js";
import { createFakeTool } from "../agents/cli/support/fake-tool.js";
import { startLoopback } from "../openapi/support/loopback-server.js";
import { specOfOne } from "../openapi/support/spec-builder.js";
import { type ModelServer, type Reply, startModelServer } from "../support/model-server/index.js";
import { openNetwork } from "../tools/support/isolation.js";
import { row, runAgentTask, scriptedAgent } from "./support/agent-run.js";

const SECRET = "planted-secret-0123456789";
const closing: (() => unknown)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** Runs the agent and returns everything that the run wrote anywhere. */
async function traces(agent: AgentLike): Promise<{ status: string; text: string }> {
  const printed: string[] = [];
  for (const stream of [process.stderr, process.stdout]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => printed.push(String(chunk)) > 0);
  }
  const { result, events, stored } = await runAgentTask(agent, openNetwork);
  vi.restoreAllMocks();
  const { stack = "" } = (result.error ?? {}) as { stack?: string };
  return {
    status: result.status,
    text: [JSON.stringify([result, events]), stack, stored, ...printed].join("\n"),
  };
}

/** A provider that answers every request so, and repeats the credential it was given in its errors. */
async function provider(reply: Reply): Promise<ModelServer> {
  const server = await startModelServer(({ headers }) => {
    if (!("status" in reply)) return reply;
    const given = headers["x-proxy-key"] ?? headers["x-api-key"] ?? headers["authorization"];
    return { ...reply, message: `Refused: ${given?.replace("Bearer ", "")}` };
  });
  closing.push(() => server.close());
  return server;
}

const sdkAgents: [string, (baseURL: string) => AgentLike][] = [
  [
    "AnthropicAgent",
    (baseURL) => {
      vi.stubEnv("ANTHROPIC_BASE_URL", baseURL);
      vi.stubEnv("ANTHROPIC_API_KEY", SECRET);
      return new AnthropicAgent({ model: "claude-sonnet-4-5" });
    },
  ],
  ["OpenAIAgent", (baseURL) => new OpenAIAgent({ model: "gpt-4.1", baseURL, apiKey: SECRET })],
  ["CompatAgent", (baseURL) => new CompatAgent({ baseURL, apiKey: SECRET })],
  ["headers", (baseURL) => new CompatAgent({ baseURL, headers: { "x-proxy-key": SECRET } })],
  [
    "the environment",
    (baseURL) => {
      vi.stubEnv("COMPAT_API_KEY", SECRET);
      return new CompatAgent({ baseURL });
    },
  ],
];

describe.each(sdkAgents)("the key of %s", (_name, create) => {
  it.each<[string, Reply, string]>([
    ["an answer", { object: row }, "finished"],
    ["a refusal", { status: 401, message: "" }, "failed"],
    ["a bad request", { status: 400, message: "" }, "failed"],
    ["no quota", { status: 429, message: "", headers: { "retry-after": "600" } }, "waiting-quota"],
  ])("is nowhere after %s", async (_what, reply, status) => {
    const server = await provider(reply);
    const written = await traces(create(server.baseURL));
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(SECRET);
    expect(written.status).toBe(status);
    expect(written.text).not.toContain(SECRET);
  });
});

describe.each(TOOLS.slice(0, 4))("the secrets of $command", (tool) => {
  const leak = `Found ${SECRET} in the settings.`;

  it.each([
    ["an answer", tool.answers(`${leak} ${JSON.stringify(row)}`), "finished"],
    ["a failure", tool.fails(leak), "failed"],
  ] as const)("are nowhere after %s", async (_what, steps, status) => {
    const fake = createFakeTool(tool.command);
    closing.push(() => fake.remove());
    fake.plays([{ err: `${leak}\n` }, ...steps]);
    const agent = tool.create({
      cwd: fake.cwd,
      env: { ...fake.env, SERVICE_PASSWORD: SECRET },
      extraArgs: ["--some-token", SECRET],
    });
    const written = await traces(agent);
    expect(written.text).toContain("in the settings");
    expect(written.status).toBe(status);
    expect(written.text).not.toContain(SECRET);
  });
});

describe("the secrets of tools", () => {
  const auths: OpenApiAuth[] = [
    { type: "bearer", token: SECRET },
    { type: "basic", username: "u", password: SECRET },
    { type: "apiKey", name: "key", value: SECRET, in: "query" },
    { type: "apiKey", name: "x-key", value: SECRET, in: "header" },
  ];
  /** Answers with what it was sent; `/cut` gets no answer. */
  const echo = () =>
    startLoopback((request, response) => {
      if (request.target.startsWith("/cut")) response.destroy();
      else response.setHeader("content-type", "text/plain").end(JSON.stringify(request));
    });
  const paths = ["/echo", "/cut"];

  it.each(paths.flatMap((path) => auths.map((auth) => [path, auth] as const)))(
    "are nowhere after an OpenAPI call of %s with %o",
    async (path, auth) => {
      const api = await echo();
      const tools = await createOpenApiTools(specOfOne({}, { path }), { baseUrl: api.origin, auth });
      const { agent } = await scriptedAgent([{ toolCalls: [{ name: "call", input: {} }] }, { object: row }], {
        tools,
      });
      const { text, status } = await traces(agent);
      expect(status).toBe("finished");
      expect(text).toContain("OpenApiToolCalled");
      expect(text).not.toContain(SECRET);
    },
  );

  it("are nowhere after an HTTP call without an answer", async () => {
    const api = await echo();
    const tools = {
      http: createHttpTool({
        defaultHeaders: { authorization: `Bearer ${SECRET}` },
        allowedOrigins: [api.origin],
      }),
    };
    const input = { url: `${api.origin}/cut` };
    const { agent } = await scriptedAgent([{ toolCalls: [{ name: "http", input }] }, { object: row }], {
      tools,
    });
    const { text, status } = await traces(agent);
    expect(api.last().headers.authorization).toContain(SECRET);
    expect(status).toBe("finished");
    expect(text).not.toContain(SECRET);
  });
});
