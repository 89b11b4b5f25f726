import { expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiToolSync, type OpenApiWarning } from "../../../src/openapi/index.js";
import { specOfBody } from "./spec-builder.js";

/** What a tool whose body has this schema takes and refuses. */
export function bodyOf(schema: unknown, { openapi = "3.0.3", ...rest }: Record<string, unknown> = {}) {
  const warnings: OpenApiWarning[] = [];
  const { inputSchema } = createOpenApiToolSync(specOfBody(schema, { openapi, ...rest }), "call", {
    onWarning: (warning) => warnings.push(warning),
  });
  return {
    warnings,
    takes: (value: unknown) => inputSchema.safeParse({ body: value }).success,
    parsed: (value: unknown) => (inputSchema.parse({ body: value }) as { body: unknown }).body,
    shown: () => (z.toJSONSchema(inputSchema, { io: "input" }).properties as Record<string, unknown>)["body"],
  };
}

/** A schema with values a tool takes and values it refuses. */
export type Case = [name: string, schema: unknown, taken: unknown[], refused: unknown[]];

/** One test per schema, which nothing is reported about. */
export function takesAndRefuses(cases: Case[], rest?: Record<string, unknown>): void {
  it.each(cases)("%s", (_name, schema, taken, refused) => {
    const body = bodyOf(schema, rest);
    for (const value of taken) expect([value, body.takes(value)]).toEqual([value, true]);
    for (const value of refused) expect([value, body.takes(value)]).toEqual([value, false]);
    // What a model is shown has to exist as well.
    expect(() => body.shown()).not.toThrow();
    expect(body.warnings).toEqual([]);
  });
}
