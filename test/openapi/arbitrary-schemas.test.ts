import fc, { propertyRuns } from "../support/property-tests.js";
import { expect, it } from "vitest";
import { z } from "zod";
import { createOpenApiToolSync, createOpenApiToolsSync } from "../../src/openapi/index.js";
import { specOf, specOfBody } from "./support/spec-builder.js";

const names = fc.constantFrom("A", "B", "C", "D");
const scalar = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean(), fc.constant(null));
/** Present in one of four. */
const rarely = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

/** Schemas as documents write them, right and wrong, that refer to one another in any way. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 2, arbitrary: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    { weight: 1, arbitrary: fc.oneof(fc.boolean(), fc.constant(null), fc.constant("junk"), fc.constant([])) },
    {
      weight: 6,
      arbitrary: fc.record(
        {
          type: rarely(
            fc.oneof(
              fc.constantFrom("string", "integer", "number", "boolean", "object", "array", "null", "file"),
              fc.uniqueArray(fc.constantFrom("string", "integer", "object", "array", "null"), {
                maxLength: 3,
              }),
            ),
          ),
          $ref: rarely(names.map((name) => `#/components/schemas/${name}`)),
          properties: rarely(
            fc.dictionary(fc.constantFrom("a", "b", "id", "__proto__", "toString"), tie("schema"), {
              maxKeys: 3,
            }),
          ),
          required: rarely(
            fc.oneof(fc.array(fc.constantFrom("a", "b", "z"), { maxLength: 3 }), fc.constant(true)),
          ),
          additionalProperties: rarely(tie("schema")),
          patternProperties: rarely(
            fc.dictionary(fc.constantFrom("^x-", "[", "a+"), tie("schema"), { maxKeys: 2 }),
          ),
          propertyNames: rarely(tie("schema")),
          items: rarely(fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 }))),
          prefixItems: rarely(fc.array(tie("schema"), { maxLength: 2 })),
          contains: rarely(tie("schema")),
          allOf: rarely(fc.array(tie("schema"), { maxLength: 3 })),
          anyOf: rarely(fc.array(tie("schema"), { maxLength: 3 })),
          oneOf: rarely(fc.array(tie("schema"), { maxLength: 3 })),
          not: rarely(tie("schema")),
          enum: rarely(fc.array(fc.oneof(scalar, fc.constant({ a: 1 })), { maxLength: 3 })),
          const: rarely(scalar),
          default: rarely(scalar),
          nullable: rarely(fc.boolean()),
          readOnly: rarely(fc.boolean()),
          minLength: rarely(fc.nat(5)),
          pattern: rarely(fc.constantFrom("^a", "(?i)x", "[")),
          format: rarely(fc.constantFrom("date-time", "uuid", "uri", "email", "byte", "unheard-of")),
          minimum: rarely(fc.oneof(fc.integer(), fc.constant("1"))),
          exclusiveMinimum: rarely(fc.oneof(fc.boolean(), fc.integer())),
          multipleOf: rarely(fc.constantFrom(0, 2, -1)),
          minItems: rarely(fc.nat(3)),
          uniqueItems: rarely(fc.boolean()),
          maxProperties: rarely(fc.nat(3)),
          description: rarely(fc.string()),
        },
        { requiredKeys: [] },
      ),
    },
  ),
}));

const schemas = fc.record({ A: schema, B: schema, C: schema, D: schema });
const version = fc.constantFrom("3.0.3", "3.1.0");

it("any schema becomes an input that can be shown to a model and checked", () => {
  fc.assert(
    fc.property(
      schema,
      schemas,
      version,
      fc.jsonValue({ maxDepth: 3 }),
      (body, components, openapi, value) => {
        const spec = specOfBody(body, { openapi, components: { schemas: components } });
        const { inputSchema } = createOpenApiToolSync(spec, "call");
        for (const target of ["draft-7", "draft-2020-12"] as const) {
          const shown = z.toJSONSchema(inputSchema, { target, io: "input", reused: "inline" });
          expect(shown).toMatchObject({ type: "object", required: ["body"] });
          expect(JSON.stringify(shown).length).toBeLessThan(500_000);
        }
        expect(inputSchema.safeParse({}).success).toBe(false);
        expect(() => inputSchema.safeParse({ body: value })).not.toThrow();
      },
    ),
    propertyRuns(200),
  );
});

it("a value that zod takes for a schema without references is taken in the same document through references", () => {
  const simple = fc.constantFrom(
    { type: "string", minLength: 1 },
    { type: "integer", minimum: 0 },
    { type: "array", items: { type: "boolean" } },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
  );
  const values = fc.oneof(scalar, fc.array(fc.boolean()), fc.record({ a: scalar }), fc.record({ b: scalar }));
  fc.assert(
    fc.property(simple, values, (target, value) => {
      const direct = z.fromJSONSchema(target as Parameters<typeof z.fromJSONSchema>[0]);
      const spec = specOfBody(
        { $ref: "#/components/schemas/Alias" },
        { components: { schemas: { Alias: { $ref: "#/components/schemas/Target" }, Target: target } } },
      );
      const { inputSchema } = createOpenApiToolSync(spec, "call");
      expect(inputSchema.safeParse({ body: value }).success).toBe(direct.safeParse(value).success);
    }),
  );
});

it("any JSON at all as an operation is a tool, or none, and never an error", () => {
  const junk = fc.jsonValue({ maxDepth: 4 });
  const operation = fc.record(
    {
      operationId: junk,
      summary: junk,
      parameters: fc.oneof(
        junk,
        fc.array(
          fc.record(
            {
              name: junk,
              in: fc.constantFrom("path", "query", "header", "cookie"),
              schema: junk,
              content: junk,
              style: junk,
              explode: junk,
            },
            { requiredKeys: [] },
          ),
        ),
      ),
      requestBody: fc.oneof(
        junk,
        fc.record({
          required: junk,
          content: fc.dictionary(fc.constantFrom("application/json", "text/plain", "*/*"), junk),
        }),
      ),
      servers: junk,
      responses: junk,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(operation, junk, (get, components) => {
      const tools = createOpenApiToolsSync(specOf({ "/a/{b}": { get } }, { components, servers: [] }));
      for (const tool of Object.values(tools)) expect(() => z.toJSONSchema(tool.inputSchema)).not.toThrow();
    }),
    propertyRuns(250),
  );
});
