import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentLike, CachePolicy } from "../../src/index.js";
import { openScene } from "../support/engine/scene.js";
import { changesOf, watchMetrics } from "./support/changes.js";

const schemas = { answer: z.object({ n: z.number() }) };

/** Runs one task that asks `agent`, `times` times. */
async function ask(agent: AgentLike, { times = 1, cache }: { times?: number; cache?: CachePolicy } = {}) {
  const { api, run } = openScene(schemas);
  const { Workflow, Task, service, outputs } = api;
  const workflow = service(() => (
    <Workflow name="asking">
      <Task id="ask" output={outputs.answer} agent={agent} {...(cache && { cache })}>
        How many?
      </Task>
    </Workflow>
  ));
  for (let time = 0; time < times; time += 1) {
    expect((await run(workflow, { runId: `run-${time}` })).status).toBe("finished");
  }
}

function counting(usage?: Record<string, number>, model?: string): AgentLike {
  return {
    id: "abacus",
    supportsNativeStructuredOutput: true,
    ...(model !== undefined && { model }),
    generate: async () => ({ output: { n: 1 }, ...(usage && { usage }) }),
  };
}

describe("the task cache", () => {
  it("counts what it cannot answer, and what it can", async () => {
    const changes = watchMetrics();
    await ask(counting(), { times: 3, cache: {} });
    expect(changesOf(changes, "service_cache_misses", "service_cache_hits")).toEqual({
      service_cache_misses: 1,
      service_cache_hits: 2,
    });
  });

  it("counts nothing for tasks that it does not serve", async () => {
    const changes = watchMetrics();
    await ask(counting(), { times: 2 });
    expect(Object.values(changesOf(changes, "service_cache_misses", "service_cache_hits"))).toEqual([0, 0]);
  });
});

describe("tokens", () => {
  const usage = {
    inputTokens: 120_000,
    outputTokens: 300,
    cachedInputTokens: 100_000,
    reasoningTokens: 200,
  };

  it("are counted under the agent and its model", async () => {
    const changes = watchMetrics();
    await ask(counting(usage, "large-1"));
    const labels = { agent: "abacus", model: "large-1" };
    expect(changes.of("service_tokens_input_total", labels)).toBe(120_000);
    expect(changes.of("service_tokens_output_total", labels)).toBe(300);
    expect(changes.of("service_tokens_cache_read_total", labels)).toBe(100_000);
    expect(changes.of("service_tokens_reasoning_total", labels)).toBe(200);
    expect(changes.of("service_tokens_input_per_call_count", labels)).toBe(1);
    expect(changes.of("service_tokens_output_per_call_sum", labels)).toBe(300);
  });

  it("from a cache fill the context window only once", async () => {
    const changes = watchMetrics();
    await ask(counting(usage, "large-2"));
    const labels = { agent: "abacus", model: "large-2" };
    expect(changes.of("service_tokens_context_window_per_call_bucket", { ...labels, le: "100000" })).toBe(0);
    expect(changes.of("service_tokens_context_window_per_call_bucket", { ...labels, le: "200000" })).toBe(1);
  });

  it("of an unknown model are counted under the agent alone", async () => {
    const { renderPrometheusMetrics } = await import("../../src/index.js");
    await ask(counting({ inputTokens: 5, outputTokens: 6 }));
    expect(renderPrometheusMetrics()).toContain('\nservice_tokens_output_total{agent="abacus"} 6\n');
  });
});
