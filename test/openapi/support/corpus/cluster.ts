import { answer, listOf, object, record, ref, text } from "./document.js";

const KINDS = 25;

/**
 * A cluster manager: ids of well over 64 characters that differ at their end,
 * five patch media types, a schema for schemas, parameters shared by paths.
 */
export function cluster(): unknown {
  return {
    openapi: "3.0.0",
    info: { title: "Cluster", version: "v1.30" },
    paths: Object.assign({}, ...Array.from({ length: KINDS }, (_, n) => pathsOf(n))),
    components: {
      schemas: {
        JSONSchemaProps: schemaForSchemas(),
        JSON: { description: "Any value." },
        Time: text({ format: "date-time" }),
        IntOrString: { oneOf: [{ type: "integer" }, { type: "string" }], format: "int-or-string" },
        ...record(KINDS, (n) => [`io.cluster.api.apps.v1.Kind${n}`, kind(n)]),
      },
    },
  };
}

function schemaForSchemas(): unknown {
  const self = ref("JSONSchemaProps");
  return object({
    $ref: text(),
    type: text(),
    default: ref("JSON"),
    items: { oneOf: [self, listOf(self)] },
    properties: { type: "object", additionalProperties: self },
    allOf: listOf({ default: {}, allOf: [self] }),
    not: self,
    required: { ...listOf(text({ default: "" })), uniqueItems: true },
    multipleOf: { type: "number", format: "double" },
  });
}

function kind(n: number): unknown {
  const spec = object({
    replicas: ref("IntOrString"),
    selector: { type: "object", additionalProperties: text({ default: "" }) },
    template:
      n === 0 ? ref("JSONSchemaProps") : { default: {}, allOf: [ref(`io.cluster.api.apps.v1.Kind${n - 1}`)] },
  });
  return object({
    apiVersion: text(),
    kind: text(),
    metadata: object({ name: text({ maxLength: 253 }), createdAt: ref("Time") }),
    spec,
    status: { type: "object", "x-preserve-unknown-fields": true },
  });
}

function pathsOf(n: number): Record<string, unknown> {
  const body = { content: { "*/*": { schema: ref(`io.cluster.api.apps.v1.Kind${n}`) } } };
  const patch = Object.fromEntries(
    ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"].map((type) => [
      `application/${type}`,
      { schema: { type: "object" } },
    ]),
  );
  const id = (verb: string) =>
    `${verb}AppsV1NamespacedKind${n}WithAnExceptionallyLongNameThatNoProviderWillEverAcceptAsAToolForKind${n}`;
  const shared = [
    { name: "namespace", in: "path", required: true, schema: text({ uniqueItems: true }) },
    { name: "pretty", in: "query", schema: text({ uniqueItems: true }) },
  ];
  return {
    [`/apis/apps/v1/namespaces/{namespace}/kind${n}s`]: {
      parameters: shared,
      get: {
        operationId: id("list"),
        parameters: [{ name: "watch", in: "query", schema: { type: "boolean" } }],
        responses: answer({}),
      },
      post: { operationId: id("create"), requestBody: { ...body, required: true } },
    },
    [`/apis/apps/v1/namespaces/{namespace}/kind${n}s/{name}`]: {
      parameters: [...shared, { name: "name", in: "path", required: true, schema: text() }],
      put: { operationId: id("replace"), requestBody: body },
      patch: { operationId: id("patch"), requestBody: { required: true, content: patch } },
      delete: { operationId: id("delete"), requestBody: { content: { "*/*": { schema: ref("JSON") } } } },
    },
  };
}
