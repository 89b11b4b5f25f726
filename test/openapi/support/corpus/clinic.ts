import { jsonBody, listOf, object, range, record, ref, text } from "./document.js";

const RESOURCES = 40;
const KINDS_OF_VALUE = ["String", "Boolean", "Integer", "Period", "Quantity", "Coding", "Reference", "Ratio"];

/**
 * Health records: every element has extensions, which have every kind of value,
 * which have extensions; resources contain any resource and bundle them.
 */
export function clinic(): unknown {
  const resources = range(RESOURCES, (n) => ref(`Resource${n}`));
  const extensions = listOf(ref("Extension"));
  return {
    openapi: "3.0.1",
    info: { title: "Clinic", version: "R9" },
    servers: [{ url: "/clinic" }],
    paths: {
      "/": { post: { requestBody: jsonBody(ref("Bundle"), "application/clinic+json; version=9") } },
      ...Object.fromEntries(range(RESOURCES, (n) => [`/Resource${n}`, collection(n)])),
    },
    components: {
      schemas: {
        ResourceList: { oneOf: resources },
        Bundle: object({
          entry: listOf(object({ resource: ref("ResourceList"), link: listOf(ref("Bundle")) })),
        }),
        Extension: object(
          {
            url: text(),
            extension: extensions,
            ...Object.fromEntries(KINDS_OF_VALUE.map((kind) => [`value${kind}`, ref(kind)])),
          },
          ["url"],
        ),
        ...Object.fromEntries(
          KINDS_OF_VALUE.map((kind) => [
            kind,
            { properties: { id: text(), extension: extensions, value: {} } },
          ]),
        ),
        ...record(RESOURCES, (n) => [`Resource${n}`, resource(n)]),
      },
    },
  };
}

function resource(n: number): unknown {
  return object(
    {
      resourceType: { const: `Resource${n}`, enum: [`Resource${n}`] },
      contained: listOf(ref("ResourceList")),
      extension: listOf(ref("Extension")),
      subject: { description: "Who.", $ref: "#/components/schemas/Reference" },
      part: listOf(object({ modifierExtension: listOf(ref("Extension")), period: ref("Period") })),
    },
    ["resourceType"],
  );
}

function collection(n: number): unknown {
  const search = (name: string, more = {}) => ({ name, in: "query", schema: text(), ...more });
  return {
    get: {
      operationId: `searchResource${n}`,
      parameters: [
        search("_id"),
        search("_lastUpdated"),
        search("subject:identifier"),
        search("value-quantity[comparator]"),
        search("_sort", { explode: false, schema: listOf(text()) }),
      ],
    },
    post: {
      operationId: `createResource${n}`,
      requestBody: jsonBody(ref(`Resource${n}`), "application/clinic+json"),
    },
  };
}
