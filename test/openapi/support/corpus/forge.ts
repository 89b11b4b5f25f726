import { answer, jsonBody, listOf, object, record, ref, text, whole } from "./document.js";

const AREAS = ["repos", "issues", "pulls", "actions", "teams", "orgs", "checks", "packages"];
const THINGS = 10;

/**
 * A code host: 400 operations with ids such as `repos/list-thing-3`, parameters
 * and answers by reference, nullable fields, an enumeration of 3,000 values,
 * schemas twelve references deep.
 */
export function forge(): unknown {
  const paths: Record<string, unknown> = {};
  for (const area of AREAS) {
    for (let n = 0; n < THINGS; n += 1) Object.assign(paths, thing(area, n));
  }
  return {
    openapi: "3.0.3",
    info: { title: "Forge", version: "1.4.0" },
    servers: [
      {
        url: "https://{host}/api/v{major}",
        variables: { host: { default: "forge.test" }, major: { default: "3" } },
      },
    ],
    paths,
    components: {
      parameters: {
        owner: { name: "owner", in: "path", required: true, schema: text() },
        repo: { name: "repo", in: "path", required: true, schema: text() },
        per_page: { name: "per_page", in: "query", schema: whole({ default: 30, maximum: 100 }) },
        labels: { name: "labels", in: "query", explode: false, schema: listOf(text()) },
      },
      schemas: {
        Permission: { type: "string", enum: Array.from({ length: 3_000 }, (_, n) => `permission_${n}`) },
        NullableUser: { ...ref("User"), nullable: true },
        User: object(
          { login: text(), site: text({ format: "uri", nullable: true }), manager: ref("NullableUser") },
          ["login"],
        ),
        ...record(12, (n) => [`Layer${n}`, layer(n)]),
      },
    },
  };
}

function layer(n: number): unknown {
  if (n === 11) return { allOf: [ref("User"), object({ since: text({ format: "date-time" }) })] };
  return object({ id: whole({ readOnly: true }), owner: ref("User"), inner: ref(`Layer${n + 1}`) }, ["id"]);
}

function thing(area: string, n: number): Record<string, unknown> {
  const parameters = [{ $ref: "#/components/parameters/owner" }, { $ref: "#/components/parameters/repo" }];
  const one = `/repos/{owner}/{repo}/${area}/thing-${n}/{thing_id}`;
  const id = { name: "thing_id", in: "path", required: true, schema: whole({ format: "int64" }) };
  const write = object(
    {
      name: text({ minLength: 1 }),
      layer: ref(`Layer${n % 12}`),
      permission: n === 0 ? ref("Permission") : text(),
    },
    ["name"],
  );
  return {
    [`/repos/{owner}/{repo}/${area}/thing-${n}`]: {
      parameters,
      get: {
        operationId: `${area}/list-thing-${n}`,
        summary: `List thing ${n}`,
        parameters: [
          { $ref: "#/components/parameters/per_page" },
          { $ref: "#/components/parameters/labels" },
        ],
        responses: answer(listOf(ref("Layer0"))),
      },
      post: {
        operationId: `${area}/create-thing-${n}`,
        requestBody: jsonBody(write),
        responses: answer(ref("Layer0")),
      },
    },
    [one]: {
      parameters: [...parameters, id],
      get: {
        operationId: `${area}/get-thing-${n}`,
        description: "Long text. ".repeat(300),
        responses: answer(ref("Layer0")),
      },
      patch: {
        operationId: `${area}/update-thing-${n}`,
        requestBody: jsonBody({ anyOf: [write, { type: "object", nullable: true }] }),
      },
      delete: { operationId: `${area}/delete-thing-${n}`, responses: { "204": { description: "Gone" } } },
    },
  };
}
