import { expect, it } from "vitest";
import { z } from "zod";
import { generateStructured } from "../../../src/agents/structured/generate-structured.js";

const schema = z.object({ data: z.unknown() });
const names = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]));
const json = JSON.stringify({ data: names });

it.each<[string, unknown]>([
  ["as a text", json],
  ["in a fence, behind a quote that is not closed", `The 5" answer:\n\`\`\`json\n${json}\n\`\`\``],
  ["encoded twice", JSON.stringify(json)],
  ["in a step", { text: "", steps: [{ text: json }] }],
  ["as an object", { data: names }],
  ["as an object in an envelope", { output: { data: names } }],
  ["as a list of a million numbers", `{"data":[${"1,".repeat(1_000_000)}1]}`],
  ["as more text than a row may have", `{"data":"${"x".repeat(9 * 1024 * 1024)}"}`],
])("an answer of more than can be looked at in one go is not looked at: %s", async (_how, answer) => {
  const parse = JSON.parse;
  let longest = 0;
  JSON.parse = (text, reviver) => {
    const value: unknown = parse(text, reviver);
    if (typeof value === "object") longest = Math.max(longest, text.length);
    return value;
  };
  try {
    const agent = { generate: async () => answer };
    const asked = generateStructured({ agent, prompt: "p", schema, maxSchemaRetries: 0 });
    await expect(asked).rejects.toMatchObject({ code: "INVALID_OUTPUT" });
  } finally {
    JSON.parse = parse;
  }
  // Nothing of it has become an object; a JSON Schema has.
  expect(longest).toBeLessThan(1_000);
});

it("says that it is too large, so that a correction can be asked for", async () => {
  const answers = [json, '{"data":1}'];
  const issues: string[] = [];
  const { row } = await generateStructured({
    agent: { generate: async () => answers.shift() },
    prompt: "p",
    schema,
    onSchemaRetry: (retry) => issues.push(...retry.issues),
  });
  expect(row).toEqual({ data: 1 });
  expect(issues).toEqual([expect.stringMatching(/too large to be read: it has more than 50000 names/)]);
});
