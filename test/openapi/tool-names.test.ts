import fc from "../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { createOpenApiToolsSync, describeOperations } from "../../src/openapi/index.js";
import { specOf } from "./support/spec-builder.js";

const PROVIDER_RULE = /^[a-zA-Z0-9_-]{1,64}$/;

/** One operation per id, each on a path of its own. */
function specWithIds(ids: readonly string[]) {
  return specOf(Object.fromEntries(ids.map((operationId, n) => [`/p${n}`, { get: { operationId } }])));
}

const namesOf = (...args: Parameters<typeof createOpenApiToolsSync>) =>
  Object.keys(createOpenApiToolsSync(...args));

describe("tool names", () => {
  it("are the operation ids where providers accept them", () => {
    expect(namesOf(specWithIds(["listPets", "get-pet_2"]))).toEqual(["listPets", "get-pet_2"]);
  });

  it("have _ for what providers do not accept", () => {
    expect(namesOf(specWithIds(["repos/list-tags", "pets.find by id"]))).toEqual([
      "repos_list-tags",
      "pets_find_by_id",
    ]);
  });

  it("are distinguished by a hash where this makes two of them equal", () => {
    const [first, second] = namesOf(specWithIds(["a.b", "a/b"]));
    expect(first).toBe("a_b");
    expect(second).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  it("are shortened to 64 characters with a hash of the whole id", () => {
    const stem = "x".repeat(70);
    const [first, second] = namesOf(specWithIds([`${stem}One`, `${stem}Two`]));
    expect(first).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(second).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(first).not.toBe(second);
  });

  it("stay the same when other operations are left out", () => {
    const ids = ["a.b", "a/b", "a b"];
    const all = namesOf(specWithIds(ids));
    expect(namesOf(specWithIds(ids), { include: ["a b"] })).toEqual([all[2]]);
  });

  it("are valid and unique for any set of ids and any prefix", () => {
    const prefix = fc.stringMatching(/^[a-zA-Z0-9_-]{0,70}$/);
    const ids = fc.uniqueArray(
      fc.oneof(fc.string({ minLength: 1, unit: "grapheme" }), fc.stringMatching(/^[ab./]{1,90}$/)),
    );
    fc.assert(
      fc.property(ids, prefix, (operationIds, namePrefix) => {
        const names = namesOf(specWithIds(operationIds), { namePrefix });
        expect(names).toHaveLength(operationIds.length);
        for (const name of names) expect(name).toMatch(PROVIDER_RULE);
      }),
    );
  });
});

describe("a name chosen in `operations`", () => {
  it("replaces the operation id", () => {
    expect(namesOf(specWithIds(["listPets"]), { operations: { listPets: { name: "find_pets" } } })).toEqual([
      "find_pets",
    ]);
  });

  it("keeps its form; a generated name gives way", () => {
    const names = namesOf(specWithIds(["pets", "list"]), { operations: { list: { name: "pets" } } });
    expect(names[1]).toBe("pets");
    expect(names[0]).toMatch(/^pets_[0-9a-f]{8}$/);
  });

  it.each(["with space", "dot.ted", "", "y".repeat(65)])("is refused as %j", (name) => {
    expect(() => namesOf(specWithIds(["a"]), { operations: { a: { name } } })).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: { option: "operations.a.name", expected: expect.stringContaining("1 to 64 letters") },
      }),
    );
  });

  it("is refused for a second operation", () => {
    const operations = { a: { name: "same" }, b: { name: "same" } };
    expect(() => namesOf(specWithIds(["a", "b"]), { operations })).toThrow(
      /"same" is chosen for two operations/,
    );
  });
});

describe("`namePrefix`", () => {
  it("stands before generated and chosen names", () => {
    expect(
      namesOf(specWithIds(["list", "get"]), { namePrefix: "pets_", operations: { get: { name: "one" } } }),
    ).toEqual(["pets_list", "pets_one"]);
  });

  it("plays no part in filters", () => {
    expect(namesOf(specWithIds(["list", "get"]), { namePrefix: "pets_", include: ["list"] })).toEqual([
      "pets_list",
    ]);
    expect(
      namesOf(specWithIds(["list", "get"]), { namePrefix: "pets_", exclude: ["pets_list", "get"] }),
    ).toEqual(["pets_list"]);
  });

  it("counts towards the 64 characters", () => {
    const [name] = namesOf(specWithIds(["operation"]), { namePrefix: "p".repeat(60) });
    expect(name).toMatch(/^p{55}_[0-9a-f]{8}$/);
  });
});

it("describeOperations tells which tool an operation becomes", async () => {
  const described = await describeOperations(specWithIds(["repos/list", "repos/get"]), {
    namePrefix: "gh_",
    exclude: ["repos/get"],
  });
  expect(described.map(({ operationId, toolName, included }) => [operationId, toolName, included])).toEqual([
    ["repos/list", "gh_repos_list", true],
    ["repos/get", "gh_repos_get", false],
  ]);
});
