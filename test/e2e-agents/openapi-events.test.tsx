import { describe, expect, it } from "vitest";
import { createOpenApiTools } from "../../src/openapi/index.js";
import { startLoopback } from "../openapi/support/loopback-server.js";
import { specOf } from "../openapi/support/spec-builder.js";
import { row, runAgentTask, scriptedAgent } from "./support/agent-run.js";

const responses = { "200": { description: "ok" } };
const spec = specOf({
  "/pets/{petId}": {
    get: {
      operationId: "getPet",
      parameters: [{ name: "petId", in: "path", required: true, schema: { type: "string" } }],
      responses,
    },
  },
});

async function agentWith(origin: string, petIds: string[]) {
  const tools = await createOpenApiTools(spec, { baseUrl: origin });
  const calls = petIds.map((petId) => ({ toolCalls: [{ name: "getPet", input: { petId } }] }));
  return (await scriptedAgent([...calls, { object: row }], { tools, nativeStructuredOutput: true })).agent;
}

describe("OpenAPI calls of an agent", () => {
  it("are in the log of its run, at its attempt", async () => {
    const api = await startLoopback((request, response) => {
      response.statusCode = request.target.endsWith("missing") ? 404 : 200;
      response.setHeader("content-type", "application/json").end("{}");
    });
    const { result, of } = await runAgentTask(await agentWith(api.origin, ["rex", "missing"]));
    expect(result.status).toBe("finished");
    const call = { nodeId: "ask", iteration: 0, attempt: 1 };
    const operation = { operationId: "getPet", method: "GET", path: "/pets/{petId}" };
    expect(of("OpenApiToolCalled")).toMatchObject([
      { ...call, ...operation, runId: result.runId, status: "success" },
      { ...call, ...operation, runId: result.runId, status: "error" },
    ]);
  });

  it("are kept apart when several runs call at once", async () => {
    const waiting: (() => void)[] = [];
    // No run gets an answer before all four have asked.
    const api = await startLoopback((_request, response) => {
      waiting.push(() => response.setHeader("content-type", "application/json").end("{}"));
      if (waiting.length === 4) for (const answer of waiting) answer();
    });
    const agents = await Promise.all(["a", "b", "c", "d"].map((id) => agentWith(api.origin, [id])));
    const runs = await Promise.all(agents.map((agent) => runAgentTask(agent)));
    expect(runs.map(({ of }) => of("OpenApiToolCalled").length)).toEqual([1, 1, 1, 1]);
  });
});
