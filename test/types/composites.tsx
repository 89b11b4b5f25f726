/** Compiled, never run: what the types of the composites accept and refuse. */
import { z } from "zod";
import type { ServiceComponents } from "../../src/components/components.js";
import type { HoldsFields } from "../../src/components/patterns/holds-fields.js";
import type { AgentLike } from "../../src/model/agent.js";

const schemas = {
  note: z.object({ text: z.string() }),
  review: z.object({ approved: z.boolean(), comment: z.string() }),
  defaulted: z.object({ approved: z.boolean().default(false) }),
  maybe: z.object({ approved: z.boolean().optional() }),
  worded: z.object({ approved: z.string() }),
  unknown: z.object({ approved: z.unknown() }),
  loose: z.looseObject({}),
};
type Schemas = typeof schemas;

declare const service: ServiceComponents<Schemas>;
declare const outputs: Schemas;
declare const agent: AgentLike;
declare function expectType<T>(value: T): void;

// The fields that composites read.
type Approves<T> = HoldsFields<Schemas, T, { approved: boolean }>;
declare const missing: Approves<"note">;
expectType<"approved">(missing["fields that the composite reads"]);
declare const fits: [Approves<"review">, Approves<"defaulted">, Approves<"unknown">, Approves<"loose">];
expectType<[unknown, unknown, unknown, unknown]>(fits);
declare const misfits: [Approves<"maybe">, Approves<Schemas["worded"]>];
expectType<{ "fields that the composite reads": "approved" }[]>(misfits);

const { Poller, ReviewLoop } = service;

// @ts-expect-error a row of it is never satisfied
<Poller check={agent} checkOutput={outputs.note} />;

const work = { producer: agent, reviewer: agent, produceOutput: "note" } as const;
<ReviewLoop {...work} reviewOutput={outputs.review} />;
<ReviewLoop {...work} reviewOutput="loose" />;
<ReviewLoop {...work} producer={[agent, agent]} reviewer={[agent, [agent, agent]]} reviewOutput="review" />;
// @ts-expect-error a note does not say whether it is approved
<ReviewLoop {...work} reviewOutput={outputs.note} />;
// @ts-expect-error nor does a text
<ReviewLoop {...work} reviewOutput="worded" />;
// @ts-expect-error not an output
<ReviewLoop {...work} reviewOutput="nope" />;
// @ts-expect-error somebody has to review
<ReviewLoop producer={agent} produceOutput="note" reviewOutput="review" />;
