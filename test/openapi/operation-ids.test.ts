import { describe, expect, it } from "vitest";
import { createOpenApiToolsSync, listOperations, type OpenApiWarning } from "../../src/openapi/index.js";
import { specOf } from "./support/spec-builder.js";

const idsOf = (paths: Record<string, unknown>, rest?: Record<string, unknown>) =>
  listOperations(specOf(paths, rest)).map(({ operationId }) => operationId);

describe("the operations of a document", () => {
  it("are listed with id, method, path and summary, and nothing else", () => {
    const spec = specOf({
      "/pets/{id}": { get: { operationId: "getPet", summary: "One pet", tags: ["x"] } },
    });
    expect(listOperations(spec)).toStrictEqual([
      { operationId: "getPet", method: "GET", path: "/pets/{id}", summary: "One pet" },
    ]);
  });

  it("have an empty summary where the document has none", () => {
    const spec = specOf({ "/a": { get: { operationId: "a", description: "Long text" } } });
    expect(listOperations(spec)[0]?.summary).toBe("");
  });

  it("are those of get, post, put, delete and patch", () => {
    const methods = ["get", "post", "put", "delete", "patch", "head", "options", "trace"];
    const spec = specOf({
      "/a": Object.fromEntries(methods.map((method) => [method, { operationId: method }])),
    });
    expect(listOperations(spec).map(({ method }) => method)).toEqual([
      "GET",
      "POST",
      "PUT",
      "DELETE",
      "PATCH",
    ]);
  });

  it("come in the order of the paths", () => {
    expect(idsOf({ "/z": { get: { operationId: "z" } }, "/a": { get: { operationId: "a" } } })).toEqual([
      "z",
      "a",
    ]);
  });

  it("are found behind a reference of their path", () => {
    const shared = { get: { operationId: "shared" } };
    expect(
      idsOf(
        { "/a": { $ref: "#/components/pathItems/Shared" } },
        { components: { pathItems: { Shared: shared } } },
      ),
    ).toEqual(["shared"]);
  });

  it("leave extensions and broken entries of the document alone", () => {
    expect(idsOf({ "x-note": { get: {} }, "/none": null, "/text": "hello", "/a": { get: "no" } })).toEqual(
      [],
    );
  });
});

describe("an operation without an id of its own", () => {
  it("is named after its method and path", () => {
    expect(idsOf({ "/users/{user-id}/pets.json": { get: {} }, "/": { post: {} } })).toEqual([
      "get_users_user_id_pets_json",
      "post",
    ]);
  });

  it.each(["", "   ", 7, null])("is one whose operationId is %j", (operationId) => {
    expect(idsOf({ "/pets": { delete: { operationId } } })).toEqual(["delete_pets"]);
  });

  it("gets a hash behind its id where paths differ in punctuation only", () => {
    const [first, second] = idsOf({ "/a-b": { get: {} }, "/a/b": { get: {} } });
    expect(first).toBe("get_a_b");
    expect(second).toMatch(/^get_a_b_[0-9a-f]{8}$/);
  });

  it("does not take an id that a later operation has in the document", () => {
    const [derived, own] = idsOf({ "/pets": { get: {} }, "/other": { get: { operationId: "get_pets" } } });
    expect(own).toBe("get_pets");
    expect(derived).toMatch(/^get_pets_[0-9a-f]{8}$/);
  });
});

describe("an operationId that is used twice", () => {
  const paths = { "/a": { get: { operationId: "same" } }, "/b": { get: { operationId: "same" } } };

  it("stays with the first operation; the second is named after its method and path", () => {
    expect(idsOf(paths)).toEqual(["same", "get_b"]);
  });

  it("is reported", () => {
    const warnings: OpenApiWarning[] = [];
    createOpenApiToolsSync(specOf(paths), { onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([
      {
        kind: "operation-id",
        operationId: "get_b",
        message: 'The operationId "same" is used more than once; GET /b is listed as "get_b".',
      },
    ]);
  });
});

describe("a path that cannot be read", () => {
  it("is reported when it lies in another document", () => {
    const warnings: OpenApiWarning[] = [];
    createOpenApiToolsSync(specOf({ "/a": { $ref: "./paths/a.yaml" } }), {
      onWarning: (warning) => warnings.push(warning),
    });
    expect(warnings).toEqual([
      { kind: "reference", message: expect.stringContaining("/a refers to ./paths/a.yaml") },
    ]);
  });
});
