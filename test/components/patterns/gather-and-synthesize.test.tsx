import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const { Workflow, GatherAndSynthesize, service, outputs } = createService({
  finding: z.object({ text: z.string() }),
  output: z.object({ answer: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const broken = () => {
  throw Object.assign(new Error("gone"), { retryable: false });
};
const done = { "gather-and-synthesize-synthesize": { answer: "done" } };

function gathering(props: Partial<Parameters<typeof GatherAndSynthesize>[0]> = {}) {
  return service(() => (
    <Workflow name="gathering">
      <GatherAndSynthesize
        sources={{ code: agent, law: { agent, prompt: "Only the licences." } }}
        synthesizer={agent}
        gatherOutput={outputs.finding}
        synthesisOutput={outputs.output}
        {...(props as object)}
      >
        May we?
      </GatherAndSynthesize>
    </Workflow>
  ));
}

describe("a GatherAndSynthesize", () => {
  it("asks each source the question and its own, and shows the synthesizer who has answered what", async () => {
    const run = testWorkflow(gathering(), {
      agents: {
        ...done,
        "gather-and-synthesize-gather-code": { text: "clean" },
        "gather-and-synthesize-gather-law": broken,
      },
    });
    expect((await run.run()).output).toEqual({ answer: "done" });
    expect(run.prompt("gather-and-synthesize-gather-code")).toBe("May we?");
    expect(run.prompt("gather-and-synthesize-gather-law")).toMatch(/^May we\?\s*Only the licences\.$/);
    const prompt = run.prompt("gather-and-synthesize-synthesize") ?? "";
    expect(prompt).toContain('## Gathered: code\n\n```json\n{\n  "text": "clean"\n}\n```');
    expect(prompt).not.toContain("## Gathered: law");
    expect(prompt).toMatch(/## Why sources are missing\s+```json\s+\{\s+"law": "/);
    expect(JSON.parse(prompt.split("## Sources\n\n```json\n")[1]?.replace(/```$/, "") ?? "")).toEqual({
      gathered: ["code"],
      missing: ["law"],
    });
  });

  it("fails when no source has answered, unless there are other results", async () => {
    const agents = {
      ...done,
      "gather-and-synthesize-gather-code": broken,
      "gather-and-synthesize-gather-law": broken,
    };
    const run = testWorkflow(gathering(), { agents });
    expect(await run.run()).toMatchObject({
      status: "failed",
      error: {
        code: "DEP_NOT_SATISFIED",
        message: expect.stringContaining("has gathered nothing: code failed: gone; law failed: gone."),
      },
    });
    const other = testWorkflow(gathering({ gatheredResults: { press: { text: "known" } } }), { agents });
    expect((await other.run()).status).toBe("finished");
    expect(other.prompt("gather-and-synthesize-synthesize")).toContain('"text": "known"');
  });

  it("takes names of any text", async () => {
    const sources = JSON.parse('{"__proto__": 1, "a b": 1, "a:20b": 1}') as Record<string, unknown>;
    for (const name of Object.keys(sources)) Object.defineProperty(sources, name, { value: agent });
    const run = testWorkflow(gathering({ id: "g", sources: sources as never }), {
      agents: {
        "g-gather-__proto__": { text: "1" },
        "g-gather-a:20b": { text: "2" },
        "g-gather-a:3a20b": { text: "3" },
        "g-synthesize": { answer: "done" },
      },
    });
    expect((await run.run()).status).toBe("finished");
    const record = (await run.tasks()).find((task) => task.nodeId === "g-gathered");
    expect(record?.output).toEqual({ gathered: ["__proto__", "a b", "a:20b"], missing: [] });
  });
});
