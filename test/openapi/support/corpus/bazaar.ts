import { object, range, text } from "./document.js";

const COUNT = 60;

/** Everything people get wrong: no ids, empty ids, equal ids, names in every alphabet, broken references and schemas. */
export function bazaar(): unknown {
  return {
    openapi: "3.0.2",
    info: { title: "Bazaar", version: "" },
    paths: Object.fromEntries(range(COUNT, (n) => [pathOf(n), itemOf(n)])),
    components: { parameters: { Loop: { $ref: "#/components/parameters/Loop" } }, schemas: null },
  };
}

function pathOf(n: number): string {
  const forms = [
    `/büro/${n}/{größe}`,
    `/a.b-c_d~${n}/{x}.json`,
    `/v1/${n}:batchGet`,
    `/${n}?kind=all`,
    `/weird path/${n}/`,
    `/${"long/".repeat(30)}${n}`,
  ];
  return forms[n % forms.length] as string;
}

function itemOf(n: number): unknown {
  const ids = [undefined, "", "same", "Größe ändern", `点-${n}`, 42, `${"x".repeat(120)}${n}`];
  return {
    get: {
      operationId: ids[n % ids.length],
      parameters: parametersOf(n),
      summary: n % 5 === 0 ? "" : `Números ${n} 🧺`,
    },
    post: { operationId: ids[(n + 1) % ids.length], requestBody: bodyOf(n), deprecated: n % 2 === 0 },
  };
}

function parametersOf(n: number): unknown[] {
  const query = (name: string, schema: unknown = text()) => ({ name, in: "query", schema });
  return [
    query("$filter"),
    query("filter[a][]"),
    query("名前"),
    query("body", { type: "strang" }),
    query("q", { type: "string", pattern: "(?<![unclosed", default: 5 }),
    query("__proto__"),
    { name: "session", in: "cookie", required: n % 7 === 0 },
    { name: "größe", in: "path", schema: null },
    { name: "x y", in: "header" },
    { $ref: "#/components/parameters/Loop" },
    { $ref: "#/components/parameters/Missing" },
  ];
}

function bodyOf(n: number): unknown {
  const bodies = [
    undefined,
    { $ref: "#/components/requestBodies/Missing" },
    {
      required: true,
      content: { "multipart/form-data": { schema: object({ file: text({ format: "binary" }) }) } },
    },
    { content: { "application/json": { schema: { $ref: "schemas.yaml#/Thing" } } } },
    { content: { "application/json": { schema: { type: "object", properties: ["a"], required: "a" } } } },
    { content: {} },
  ];
  return bodies[n % bodies.length];
}
