import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createDemoAgent } from "../../../src/agents/demo/demo-agent.js";
import { CompatAgent, type CompatAgentOptions } from "../../../src/agents/sdk/compat-agent.js";
import {
  type AgentLike,
  createService,
  getTaskRuntime,
  listEvents,
  type RunEventType,
  runWorkflow,
  type SchemaMap,
} from "../../../src/index.js";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server/index.js";

const schemas: SchemaMap = { output: z.object({ title: z.string(), score: z.number() }) };
const good = { title: "x", score: 1 };

let folder: string;
const servers: ModelServer[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "treadle-sdk-agents-"));
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function modelAgent(script: Script, options: CompatAgentOptions = {}) {
  const server = await startModelServer(script);
  servers.push(server);
  return { server, agent: new CompatAgent({ baseURL: server.baseURL, ...options }) };
}

/** A workflow of one task that asks `agent`. */
async function run(agent: AgentLike | AgentLike[], fallbackAgent?: AgentLike) {
  const { Workflow, Task, service } = createService(schemas, { dbPath: join(folder, "run.db") });
  const workflow = service(() => (
    <Workflow name="rate">
      <Task id="rate" output="output" agent={agent} {...(fallbackAgent && { fallbackAgent })} retries={0}>
        Rate the book.
      </Task>
    </Workflow>
  ));
  const result = await runWorkflow(workflow, { input: {} });
  const events = await listEvents(workflow, result.runId);
  const of = (type: RunEventType) => events.map(({ event }) => event).filter((event) => event.type === type);
  return { result, of };
}

describe("a task that asks a model", () => {
  it("stores the row and counts the tokens of every call", async () => {
    const { agent } = await modelAgent([
      { text: "Four stars.", usage: { input: 20, output: 3 } },
      { object: good, usage: { input: 40, output: 8, cacheRead: 20 } },
    ]);
    const { result, of } = await run(agent);
    expect(result).toMatchObject({ status: "finished", output: good });
    expect(of("TokenUsageReported")).toMatchObject([
      { nodeId: "rate", agent: "compat:compat", model: "compat", inputTokens: 20, outputTokens: 3 },
      { inputTokens: 40, outputTokens: 8, cacheReadTokens: 20 },
    ]);
    expect(of("StructuredOutputRejected")).toMatchObject([{ schemaRetry: 1 }]);
    expect(of("StructuredOutputDowngraded")).toMatchObject([{ mode: "prompted" }]);
  });

  it("is not downgraded when the schema goes to the model", async () => {
    const { agent } = await modelAgent([{ object: good }], { nativeStructuredOutput: true });
    const { result, of } = await run(agent);
    expect(result.output).toEqual(good);
    expect(of("StructuredOutputDowngraded")).toEqual([]);
  });

  it("gives its tools the runtime of the task", async () => {
    const look = tool({ inputSchema: z.object({}), execute: async () => getTaskRuntime().nodeId });
    const { agent, server } = await modelAgent(
      [{ toolCalls: [{ name: "look", input: {} }] }, { object: good }],
      {
        tools: { look },
      },
    );
    expect((await run(agent)).result.status).toBe("finished");
    expect(JSON.stringify(server.requests[1]?.body["messages"])).toContain('"content":"rate"');
  });

  it("asks the next agent when the first has no quota left", async () => {
    const { agent } = await modelAgent([
      { status: 429, message: "Slow down", headers: { "retry-after": "600" } },
    ]);
    const { result } = await run(agent, createDemoAgent({ script: { rate: good } }));
    expect(result).toMatchObject({ status: "finished", output: good });
  });

  it("waits for its quota when there is no other agent", async () => {
    const { agent } = await modelAgent([
      { status: 429, message: "Slow down", headers: { "retry-after": "600" } },
    ]);
    const { result, of } = await run(agent);
    expect(result.status).toBe("waiting-quota");
    expect(of("NodeWaitingQuota")).toMatchObject([{ nodeId: "rate", resetAtMs: expect.any(Number) }]);
  });

  it("fails without a retry when its key is refused", async () => {
    const { agent, server } = await modelAgent(() => ({ status: 401, message: "No." }));
    const { result } = await run(agent);
    expect(result).toMatchObject({ status: "failed", error: { code: "AGENT_CONFIG_INVALID" } });
    expect(server.requests).toHaveLength(1);
  });
});
