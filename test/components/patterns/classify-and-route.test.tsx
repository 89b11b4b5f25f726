import { createService } from "treadle";
import { testWorkflow } from "treadle/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assignItems, routableItems } from "../../../src/components/patterns/classifications.js";

const classification = z.object({
  classifications: z.array(z.object({ category: z.string(), itemId: z.string().optional() })),
});
const { Workflow, ClassifyAndRoute, service, outputs } = createService({
  classification,
  loose: z.looseObject({}),
  output: z.object({ text: z.string() }),
});

const agent = { id: "agent", generate: async () => ({}) };
const items = [
  { id: "T-1", text: "broken" },
  { id: "T-2", text: "dear" },
];
const routes = { "c-route-T-1": { text: "one" }, "c-route-T-2": { text: "two" } };
const right = [
  { itemId: "T-2", category: "money" },
  { itemId: "T-1", category: "bug" },
];
type Props = Partial<Parameters<typeof ClassifyAndRoute>[0]>;

function desk(props: Props = {}) {
  return service(() => (
    <Workflow name="desk">
      <ClassifyAndRoute
        id="c"
        items={items}
        categories={{
          bug: { agent, description: "Does not work.", prompt: "Find the cause." },
          money: agent,
        }}
        classifierAgent={agent}
        classifierOutput={outputs.classification}
        routeOutput={outputs.output}
        {...(props as object)}
      >
        They are tickets.
      </ClassifyAndRoute>
    </Workflow>
  ));
}

async function ran(props: Props, classifications: readonly object[]) {
  const run = testWorkflow(desk(props), { agents: { "c-classify": { classifications }, ...routes } });
  return { run, result: await run.run() };
}

describe("a ClassifyAndRoute", () => {
  it("shows the classifier items and categories, and each route its own item", async () => {
    const { run, result } = await ran({}, right);
    expect(result.output).toEqual([{ text: "one" }, { text: "two" }]);
    const prompt = run.prompt("c-classify") ?? "";
    for (const part of [
      "They are tickets.",
      '"category": "bug"',
      "Does not work.",
      '"itemId": "T-2"',
      "dear",
    ]) {
      expect(prompt).toContain(part);
    }
    expect(run.prompt("c-route-T-1")).toMatch(/^Find the cause\..*They are tickets\..*"text": "broken"/s);
    expect(run.prompt("c-route-T-2")).toContain("Handle this item of the category money.");
    expect(run.prompt("c-route-T-2")).not.toContain("broken");
  });

  it("takes entries without an id by their place", async () => {
    const { result } = await ran({}, [{ category: "bug" }, { category: "money" }]);
    expect(result.output).toEqual([{ text: "one" }, { text: "two" }]);
  });

  it("tells the agent what cannot be routed, so that it corrects its answer", async () => {
    const prompts: string[] = [];
    const answers = [[{ itemId: "T-1", category: "spam" }], [{ itemId: "T-1", category: "bug" }], right];
    const classifierAgent = {
      id: "classifier",
      supportsNativeStructuredOutput: true,
      generate: async ({ prompt = "", messages }: { prompt?: string; messages?: unknown[] } = {}) => {
        prompts.push(JSON.stringify(messages ?? prompt));
        return { output: { classifications: answers[prompts.length - 1] } };
      },
    };
    const handler = { id: "handler", generate: async () => ({ output: { text: "done" } }) };
    const run = testWorkflow(desk({ classifierAgent, categories: { bug: handler, money: handler } }));
    expect((await run.run()).output).toEqual([{ text: "done" }, { text: "done" }]);
    expect(prompts).toHaveLength(3);
    expect(prompts[1]).toMatch(/the category .*spam.* of item T-1 is none of bug, money/);
    expect(prompts[2]).toContain("item T-2 has no category");
  });

  it.each([
    [
      "a category that there is not",
      [...right.slice(1), { itemId: "T-2", category: "spam" }],
      /"spam" of item T-2/,
    ],
    ["an item that there is not", [...right, { itemId: "T-9", category: "bug" }], /no item "T-9"/],
    ["an item twice", [...right, { itemId: "T-1", category: "money" }], /item T-1 is classified twice/],
    ["an item without a category", right.slice(1), /item T-2 has no category/],
  ])("refuses %s where the schema could not", async (_what, classifications, message) => {
    const { result, run } = await ran({ classifierOutput: "classification" as never }, classifications);
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "INVALID_OUTPUT", message: expect.stringMatching(message) },
    });
    expect(run.calls.map(({ nodeId }) => nodeId)).toEqual(["c-classify"]);
  });

  it("goes by the prop classificationResult, without asking the classifier", async () => {
    const { run, result } = await ran({ classificationResult: { classifications: right } }, []);
    expect(result.output).toEqual([{ text: "one" }, { text: "two" }]);
    expect(run.calls.map(({ nodeId }) => nodeId).sort()).toEqual(["c-route-T-1", "c-route-T-2"]);
  });

  it("goes by a classificationResult that is made of the classifier's row", async () => {
    const run = testWorkflow(
      service((ctx) => {
        const row = ctx.outputMaybe("classification", { nodeId: "c-classify" });
        const classificationResult = row && {
          classifications: row.classifications.map((entry) => ({ ...entry, category: "bug" })),
        };
        return (
          <Workflow name="desk">
            <ClassifyAndRoute
              id="c"
              items={items}
              categories={{ bug: agent, money: agent }}
              classifierAgent={agent}
              classifierOutput="classification"
              routeOutput="output"
              classificationResult={classificationResult ?? null}
            />
          </Workflow>
        );
      }),
      { agents: { "c-classify": { classifications: right }, ...routes } },
    );
    expect((await run.run()).status).toBe("finished");
    expect(run.prompt("c-route-T-2")).toContain("of the category bug");
  });

  it("refuses items of one id, and a row that lists nothing", async () => {
    await expect(ran({ items: [{ id: "a" }, { id: "b" }, { id: "a" }] }, [])).rejects.toMatchObject({
      code: "INVALID_INPUT",
      summary: expect.stringMatching(/<ClassifyAndRoute id="c"> .*items\[2\]=.*not "a" again/),
    });
    const run = testWorkflow(desk({ classifierOutput: outputs.loose as never }), {
      agents: { "c-classify": { answer: "bug" } },
    });
    expect(await run.run()).toMatchObject({
      status: "failed",
      error: {
        code: "INVALID_OUTPUT",
        message: expect.stringContaining("classifications: expected a list of {category, itemId?}"),
      },
    });
  });
});

it("items are known by their id, a number too, else by their place", () => {
  const known = routableItems([{ id: 7 }, "text", { id: "" }, null, { id: "x" }]);
  expect(known.map(({ itemId }) => itemId)).toEqual(["7", "1", "2", "3", "x"]);
  expect(assignItems([{ category: "a", itemId: 7 }], known.slice(0, 1), ["a"])).toEqual({
    routes: [{ itemId: "7", category: "a", item: { id: 7 } }],
    problems: [],
  });
});
