import { jsonBody, listOf, object, range, record, ref, text, whole } from "./document.js";

const OBJECTS = 40;

/**
 * A payment service: every object may hold every other as an id or in full, so
 * all 40 schemas form one knot; filters are deep objects; a third of the bodies
 * are forms.
 */
export function ledger(): unknown {
  return {
    openapi: "3.0.0",
    info: { title: "Ledger", version: "2024-01-01" },
    servers: [{ url: "https://ledger.test/" }],
    paths: record(OBJECTS, (n) => [`/v1/object_${n}s`, collection(n)]),
    components: { schemas: record(OBJECTS, (n) => [`object_${n}`, schemaOf(n)]) },
  };
}

function schemaOf(n: number): unknown {
  const expandable = (k: number) => ({
    anyOf: [text({ maxLength: 5_000 }), ref(`object_${k}`)],
    "x-expandable": true,
  });
  return {
    ...object(
      {
        id: text({ maxLength: 5_000 }),
        amount: whole(),
        currency: text({ pattern: "^[a-z]{3}$" }),
        metadata: { type: "object", additionalProperties: text({ maxLength: 500 }) },
        ...Object.fromEntries(range(6, (k) => [`link_${k}`, expandable((n * 7 + k * 11 + 1) % OBJECTS)])),
        children: listOf(ref(`object_${(n + 1) % OBJECTS}`)),
      },
      ["id"],
    ),
    title: `Object${n}`,
    "x-resourceId": `object_${n}`,
  };
}

function collection(n: number): unknown {
  const bound = { anyOf: [object({ gt: whole(), gte: whole(), lt: whole(), lte: whole() }), whole()] };
  return {
    get: {
      operationId: `GetObject${n}s`,
      description: "<p>Returns a list.</p>",
      parameters: [
        { name: "created", in: "query", style: "deepObject", explode: true, schema: bound },
        { name: "expand", in: "query", style: "deepObject", explode: true, schema: listOf(text()) },
        { name: "Ledger-Version", in: "header", schema: text() },
      ],
      // Many generators give GET an empty form.
      requestBody: {
        required: false,
        content: { "application/x-www-form-urlencoded": { schema: object({}) } },
      },
    },
    post: {
      operationId: `PostObject${n}s`,
      requestBody: jsonBody(
        n % 3 === 0 ? object({ amount: whole() }, ["amount"]) : ref(`object_${n}`),
        n % 3 === 0 ? "application/x-www-form-urlencoded" : "application/json",
      ),
    },
  };
}
