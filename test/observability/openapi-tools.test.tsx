import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentLike, createOpenApiToolSync } from "../../src/index.js";
import { json, startLoopback } from "../openapi/support/loopback-server.js";
import { specOf } from "../openapi/support/spec-builder.js";
import { openScene } from "../support/engine/scene.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const spec = specOf({ "/pets/{petId}": { get: { operationId: "getPet" } } });
const names = [
  "service_openapi_tool_calls",
  "service_openapi_tool_call_errors",
  "service_openapi_tool_duration_ms_count",
] as const;

/** A tool whose API knows pet 1 and no other. */
async function petTool() {
  const { origin } = await startLoopback((request, response) =>
    request.target === "/pets/1"
      ? json({ name: "Rex" })(request, response)
      : json({ message: "no such pet" }, 404)(request, response),
  );
  return createOpenApiToolSync(spec, "getPet", { baseUrl: origin });
}

describe("a call of an OpenAPI tool", () => {
  it("outside any run is counted once, a failed one as an error as well", async () => {
    const tool = await petTool();
    const changes = watchMetrics();
    await tool.execute({ petId: "1" });
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 0, 1]);
    await tool.execute({ petId: "2" });
    expect(Object.values(changesOf(changes, ...names))).toEqual([2, 1, 2]);
  });

  it("within a run is counted once, although the run has an event of it", async () => {
    const tool = await petTool();
    const { api, run, events } = openScene({ pet: z.object({ name: z.string() }) });
    const { Workflow, Task, service, outputs } = api;
    const keeper: AgentLike = {
      id: "keeper",
      supportsNativeStructuredOutput: true,
      async generate() {
        await tool.execute({ petId: "2" });
        return tool.execute({ petId: "1" });
      },
    };
    const changes = watchMetrics();
    const workflow = service(() => (
      <Workflow name="pets">
        <Task id="ask" output={outputs.pet} agent={keeper}>
          Which pet is it?
        </Task>
      </Workflow>
    ));
    const served = await run(workflow);
    expect(served.status).toBe("finished");
    expect((await events("OpenApiToolCalled")).map(({ status }) => status)).toEqual(["error", "success"]);
    expect(Object.values(changesOf(changes, ...names))).toEqual([2, 1, 2]);
  });

  it("that gets no answer is counted as an error", async () => {
    const changes = watchMetrics();
    const tool = createOpenApiToolSync(spec, "getPet", { baseUrl: "http://127.0.0.1:9" });
    const aborted = tool.execute({ petId: "1" }, { abortSignal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow();
    expect(Object.values(changesOf(changes, ...names))).toEqual([1, 1, 1]);
  });
});
