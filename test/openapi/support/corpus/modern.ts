import { jsonBody, object, range, ref } from "./document.js";

const COUNT = 40;

/** OpenAPI 3.1: lists of types, const, tuples, local definitions, constraints beside references, boolean schemas. */
export function modern(): unknown {
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://spec.openapis.org/oas/3.1/dialect/base",
    info: { title: "Modern", version: "1" },
    servers: [{ url: "https://modern.test" }],
    webhooks: { ping: { post: { operationId: "ping" } } },
    paths: Object.fromEntries(
      range(COUNT, (n) => [
        `/items-${n}/{id}`,
        {
          $ref: `#/components/pathItems/Item${n % 4}`,
        },
      ]),
    ),
    components: {
      pathItems: Object.fromEntries(range(4, (n) => [`Item${n}`, item(n)])),
      schemas: {
        Id: { type: ["string", "integer"], minLength: 1, minimum: 1 },
        Point: {
          type: "array",
          prefixItems: [{ type: "number" }, { type: "number" }],
          items: false,
          minItems: 2,
        },
        Tree: {
          type: "object",
          properties: {
            value: { $ref: "#/components/schemas/Tree/$defs/Value" },
            kids: { type: "array", items: ref("Tree") },
          },
          $defs: { Value: { anyOf: [{ const: null }, { type: ["number", "string"] }] } },
          unevaluatedProperties: false,
        },
        Open: true,
        Closed: false,
        Labels: {
          type: "object",
          patternProperties: { "^x-": { type: "string" } },
          propertyNames: { maxLength: 20 },
          additionalProperties: false,
        },
        Conditional: {
          type: "object",
          if: { required: ["a"] },
          else: { required: ["b"] },
          dependentRequired: { a: ["c"] },
        },
      },
    },
  };
}

function item(n: number): unknown {
  const parameters = [
    { name: "id", in: "path", required: true, schema: ref("Id") },
    { name: "at", in: "query", explode: false, schema: ref("Point") },
  ];
  const body = object({
    tree: { ...ref("Tree"), description: "The tree.", minProperties: 1 },
    labels: ref("Labels"),
    open: ref("Open"),
    closed: ref("Closed"),
    when: { type: ["string", "null"], format: "date-time", examples: ["2024-01-01T00:00:00Z"] },
    limit: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 100 + n },
    either: ref("Conditional"),
  });
  return {
    parameters,
    get: { summary: "Read" },
    put: { summary: "Write", requestBody: jsonBody(body) },
  };
}
