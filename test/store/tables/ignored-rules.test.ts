import { expect, it } from "vitest";
import { z } from "zod";
import type { $ZodType } from "zod/v4/core";
import { ignoredRules } from "../../../src/store/tables/ignored-rules.js";

const rulesOf = (schema: $ZodType) => ignoredRules(schema).map(({ path, rule }) => `${path}: ${rule}`);

it("finds defaults, transforms and coercions of an input schema, also nested ones", () => {
  const schema = z.object({
    name: z.string().optional(),
    mode: z.enum(["fast", "slow"]).default("fast"),
    times: z.number().catch(1).nullable(),
    size: z.coerce.number(),
    title: z.string().trim(),
    slug: z.string().transform((text) => text.length),
    retry: z.object({ after: z.number().prefault(5) }).optional(),
    tags: z.array(z.string().toLowerCase()),
    limits: z.record(z.string(), z.number().default(0)),
    either: z.union([z.string(), z.coerce.date()]),
  });
  expect(rulesOf(schema)).toEqual([
    "mode: default",
    "times: default",
    "size: coercion",
    "title: transform",
    "slug: transform",
    "retry.after: default",
    "tags[]: transform",
    "limits[]: default",
    "either: coercion",
  ]);
});

it("has nothing to say of a schema that only describes", () => {
  const schema = z.object({
    name: z.string().min(1).optional(),
    at: z.date().nullable(),
    of: z.array(z.int()),
  });
  expect(rulesOf(schema)).toEqual([]);
});
