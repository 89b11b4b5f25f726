import { describe, expect, it } from "vitest";
import {
  createOpenApiTool,
  createOpenApiToolSync,
  createOpenApiToolsSync,
  type OpenApiToolsOptions,
  type OpenApiWarning,
} from "../../src/openapi/index.js";
import { specOf } from "./support/spec-builder.js";

const spec = specOf({
  "/pets": { get: { operationId: "listPets" }, post: { operationId: "createPet" } },
  "/pets/{id}": { delete: { operationId: "deletePet" } },
});

const namesWith = (options: OpenApiToolsOptions) => Object.keys(createOpenApiToolsSync(spec, options));

describe("which operations become tools", () => {
  it("all, without filters", () => {
    expect(namesWith({})).toEqual(["listPets", "createPet", "deletePet"]);
  });

  it("those of `include` only", () => {
    expect(namesWith({ include: ["deletePet", "listPets"] })).toEqual(["listPets", "deletePet"]);
  });

  it("none, with an empty `include`", () => {
    expect(namesWith({ include: [] })).toEqual([]);
  });

  it("all but those of `exclude`", () => {
    expect(namesWith({ exclude: ["deletePet"] })).toEqual(["listPets", "createPet"]);
  });

  it("not those in both `include` and `exclude`", () => {
    expect(namesWith({ include: ["listPets", "deletePet"], exclude: ["deletePet"] })).toEqual(["listPets"]);
  });

  it.each([false, { include: false }] as const)("not those that `operations` maps to %j", (entry) => {
    expect(namesWith({ operations: { deletePet: entry } })).toEqual(["listPets", "createPet"]);
  });

  it("not those that `operations` leaves out and `include` names", () => {
    expect(namesWith({ include: ["deletePet"], operations: { deletePet: false } })).toEqual([]);
  });

  it("not those that `include` does not name, even when `operations` includes them", () => {
    expect(namesWith({ include: ["listPets"], operations: { deletePet: { include: true } } })).toEqual([
      "listPets",
    ]);
  });

  it("goes by the operation id, not by the chosen name", () => {
    const operations = { listPets: { name: "deletePet_" } };
    expect(namesWith({ exclude: ["deletePet_"], operations })).toContain("deletePet_");
  });

  it("goes by the derived id where the document has none", () => {
    const paths = { "/a": { get: {} }, "/b": { get: {} } };
    expect(Object.keys(createOpenApiToolsSync(specOf(paths), { include: ["get_b"] }))).toEqual(["get_b"]);
  });

  it.each(["include", "exclude"] as const)("an unknown id in `%s` is reported", (option) => {
    const warnings: OpenApiWarning[] = [];
    namesWith({ [option]: ["lisPets"], onWarning: (warning) => warnings.push(warning) });
    expect(warnings).toEqual([
      { kind: "filter", message: expect.stringContaining(`\`${option}\` names "lisPets"`) },
    ]);
  });

  it("an unknown id in `operations` is reported", () => {
    const warnings: OpenApiWarning[] = [];
    namesWith({ operations: { nope: false }, onWarning: (warning) => warnings.push(warning) });
    expect(warnings.map(({ kind }) => kind)).toEqual(["filter"]);
  });

  it("an id that objects inherit is no entry of `operations`", () => {
    const odd = specOf({
      "/a": { get: { operationId: "constructor" } },
      "/b": { get: { operationId: "toString" } },
    });
    expect(Object.keys(createOpenApiToolsSync(odd))).toEqual(["constructor", "toString"]);
  });
});

describe("the tool of one operation", () => {
  it("is made whatever `include` and `exclude` say", async () => {
    const options = {
      include: ["listPets"],
      exclude: ["createPet"],
      operations: { createPet: false } as const,
    };
    expect((await createOpenApiTool(spec, "createPet", options)).description).toBe("POST /pets");
    expect(createOpenApiToolSync(spec, "createPet", options).description).toBe("POST /pets");
  });

  it("takes its description from `operations`", () => {
    const operations = { createPet: { description: "Adds a pet." } };
    expect(createOpenApiToolSync(spec, "createPet", { operations }).description).toBe("Adds a pet.");
  });

  it("is found by the derived id", () => {
    expect(createOpenApiToolSync(specOf({ "/a": { get: {} } }), "get_a").description).toBe("GET /a");
  });

  it.each(["nope", "toString", ""])("does not exist for the id %j", async (id) => {
    const notFound = expect.objectContaining({
      code: "OPENAPI_OPERATION_NOT_FOUND",
      details: { operationId: id, operationIds: ["listPets", "createPet", "deletePet"] },
    });
    expect(() => createOpenApiToolSync(spec, id)).toThrow(notFound);
    await expect(createOpenApiTool(spec, id)).rejects.toEqual(notFound);
  });

  it("reports only what concerns it", () => {
    const warnings: OpenApiWarning[] = [];
    const cookie = { parameters: [{ name: "s", in: "cookie" }] };
    const both = specOf({
      "/a": { get: { operationId: "a", ...cookie } },
      "/b": { get: { operationId: "b", ...cookie } },
    });
    createOpenApiToolSync(both, "b", { onWarning: (warning) => warnings.push(warning) });
    expect(warnings.map(({ operationId }) => operationId)).toEqual(["b"]);
  });
});
