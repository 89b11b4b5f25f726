import { jsonBody, listOf, object, range, ref, text } from "./document.js";

const SPECIES = 25;

/**
 * Inheritance in every way documents express it: a base that names its
 * subtypes, subtypes that build on the base, discriminators with mappings,
 * nested alternatives, and mixes of allOf, oneOf and anyOf beside properties.
 */
export function zoo(): unknown {
  const species = range(SPECIES, (n) => `Species${n}`);
  return {
    openapi: "3.0.3",
    info: { title: "Zoo", version: "1" },
    servers: [{ url: "https://zoo.test" }],
    paths: Object.fromEntries(
      species.flatMap((name, n) => [
        [
          `/animals/${name}`,
          {
            post: { operationId: `create${name}`, requestBody: jsonBody(ref(name)) },
            put: { operationId: `replace${name}`, requestBody: jsonBody(mixed(n)) },
            get: {
              operationId: `find${name}`,
              parameters: [
                { name: "like", in: "query", content: { "application/json": { schema: ref("Animal") } } },
              ],
            },
          },
        ],
      ]),
    ),
    components: {
      schemas: {
        Animal: {
          ...object({ kind: text(), mother: ref("Animal"), keeper: ref("Keeper") }, ["kind"]),
          discriminator: {
            propertyName: "kind",
            mapping: Object.fromEntries(species.map((name) => [name, ref(name).$ref])),
          },
          oneOf: species.map(ref),
        },
        Keeper: {
          anyOf: [text(), object({ name: text(), feeds: listOf(ref("Animal")) }, ["name"])],
          nullable: true,
        },
        Marked: { oneOf: [object({ tag: text() }, ["tag"]), object({ chip: text() }, ["chip"])] },
        ...Object.fromEntries(
          species.map((name, n) => [
            name,
            {
              allOf: [ref("Animal"), object({ [`trait${n}`]: { type: "number" } }, [`trait${n}`])],
              additionalProperties: false,
            },
          ]),
        ),
      },
    },
  };
}

function mixed(n: number): unknown {
  return {
    properties: { note: text() },
    required: ["note"],
    allOf: [
      { oneOf: [ref(`Species${n}`), ref("Marked")] },
      { anyOf: [{ required: ["tag"] }, { not: { required: ["chip"] } }] },
    ],
    oneOf: [ref("Marked"), { allOf: [ref("Marked"), { minProperties: 2 }] }],
  };
}
