import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { openScene } from "../../support/engine/scene.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const schemas = {
  answer: z.object({ sure: z.number() }),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  classification: z.object({ classifications: z.array(z.object({ category: z.string() })) }),
  output: z.object({ item: z.string() }),
};

it("a workflow that caches every task still counts and decides by the composite's present props", async () => {
  const { api, run, store } = openScene(schemas, { dbPath: join(temporaryFolder(), "c.db") });
  const { Workflow, EscalationChain, ClassifyAndRoute, outputs, service } = api;
  const asked: string[] = [];
  const agent = {
    id: "agent",
    supportsNativeStructuredOutput: true,
    async generate({ prompt = "" }: { prompt?: string } = {}) {
      asked.push(prompt);
      return prompt.includes("Item") ? { item: /"text": "(\w+)"/.exec(prompt)?.[1] ?? "" } : { sure: 5 };
    },
  };
  const flow = (limit: number, text: string) =>
    service(() => (
      <Workflow name="cached" cache>
        <EscalationChain
          levels={[{ agent, output: outputs.answer, escalateIf: (row) => row.sure < limit }]}
          escalationOutput={outputs.escalation}
        >
          Settle it.
        </EscalationChain>
        <ClassifyAndRoute
          items={[{ id: "T-1", text }]}
          categories={{ bug: agent }}
          classifierAgent={agent}
          classifierOutput={outputs.classification}
          routeOutput={outputs.output}
          classificationResult={{ classifications: [{ category: "bug" }] }}
        />
      </Workflow>
    ));
  const first = await run(flow(3, "one"), { runId: "first" });
  const second = await run(flow(9, "two"), { runId: "second" });
  expect([first.output, second.output]).toEqual([{ item: "one" }, { item: "two" }]);
  const checks = ["first", "second"].map((runId) => store.readOutput(runId, "escalation-check-0", 0));
  expect(checks).toMatchObject([{ escalated: false }, { escalated: true }]);
  // The level's own question is the same, and its answer comes from the cache.
  expect(asked.filter((prompt) => prompt.includes("Settle it."))).toHaveLength(1);
});

it("a workflow that caches every task still reads and writes files", async () => {
  const rootDir = temporaryFolder();
  const file = join(rootDir, "a.txt");
  const { api, drive } = openScene(schemas, { dbPath: join(temporaryFolder(), "c.db") });
  const { Workflow, SuperService, service } = api;
  const agent = {
    id: "agent",
    supportsNativeStructuredOutput: true,
    generate: async () => ({ output: { summary: "", edits: [{ path: "a.txt", content: "new\n" }] } }),
  };
  const flow = service(() => (
    <Workflow name="cached" cache>
      <SuperService strategy="Renew it." agent={agent} />
    </Workflow>
  ));
  for (const runId of ["first", "second"]) {
    writeFileSync(file, "old\n");
    expect((await drive(flow, { runId, rootDir })).error).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe("new\n");
  }
});
