import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { compile } from "./support/compile.js";
import { componentNames } from "./support/declared.js";
import { publicDeclarations } from "./support/docstrings.js";
import { extractCode } from "./support/extract.js";

/** What the examples use without saying where it comes from. */
const SURROUNDINGS = `
import { createService, ${componentNames().join(", ")}, type AgentLike, type Scorer, type ServiceWorkflow, type WorkflowContext, type WorkflowElement } from "treadle";
import { z } from "zod";

const text = z.object({ text: z.string() });
const schemas = {
  address: text, booking: text, build: text, deploy: text, fix: text, greeting: text, lint: text, merge: text,
  draft: text, payment: text, refund: text, shipment: text, test: text,
  check: z.object({ satisfied: z.boolean() }),
  classification: z.object({ classifications: z.array(z.object({ category: z.string(), itemId: z.string() })) }),
  escalation: z.object({ escalated: z.boolean(), fromLevel: z.int(), toLevel: z.int() }),
  score: z.object({ score: z.number() }),
  decision: z.object({ approved: z.boolean(), note: z.string().nullable(), decidedBy: z.string().nullable(), decidedAt: z.string().nullable() }),
  numbers: z.object({ a: z.number(), b: z.number() }),
  report: z.object({ message: z.string() }),
  state: text,
  drift: z.object({ drifted: z.boolean() }),
  scan: z.object({ issues: z.array(z.string()) }),
  verify: z.object({ resolved: z.boolean() }),
  verdict: z.object({ passed: z.boolean() }),
  step: z.object({ step: z.string(), exitCode: z.int(), output: z.string() }),
  work: text,
  summary: text,
  plan: z.object({ tasks: z.array(z.object({ id: z.string(), workerType: z.string(), instructions: z.string() })) }),
  progress: z.object({ allDone: z.boolean() }),
  change: z.object({ diff: z.string() }),
  review: z.object({ approved: z.boolean() }),
  sum: z.object({ value: z.number() }),
};
const { service, outputs } = createService(schemas);
type Text = { text: string };
declare const refund: () => Text, book: () => Text, lint: () => Text;
declare const test: () => Text, build: () => Text, deploy: () => Text;
declare const ctx: WorkflowContext<typeof schemas>;
declare const reviewer: AgentLike, coder: AgentLike, writer: AgentLike, editor: AgentLike, lawyer: AgentLike;
declare const inspector: AgentLike, judge: AgentLike, linter: AgentLike, otherCoder: AgentLike, tester: AgentLike, lead: AgentLike, intern: AgentLike, calm: Scorer;
declare const Page: () => WorkflowElement;
declare const buildWorkflow: ServiceWorkflow;
declare const merge: (branch?: unknown) => Text;
declare const ship: (payment: Text) => Text;
declare const isUp: () => Promise<boolean>;
declare const round: number, total: number, orderId: string, seen: string[], branches: string[];
`;

const { folder, remove } = extractCode([]);
afterAll(remove);

it("shows examples of components that compile", () => {
  const components = publicDeclarations().filter(({ name }) => componentNames().includes(name));
  const examples = components.flatMap(({ name, tags }) =>
    tags.filter((tag) => tag.name === "example").map(({ text }) => ({ name, text })),
  );
  expect(examples.length).toBeGreaterThanOrEqual(components.length);
  for (const { name, text } of examples) {
    const code = text.startsWith("export ") ? text : `export default <>${text}</>;`;
    writeFileSync(join(folder, `${name}.tsx`), `${SURROUNDINGS}\n${code}\n`);
  }
  expect(compile(folder)).toEqual([]);
});
