import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createOpenApiTools,
  createOpenApiToolsSync,
  listOperations,
  type OpenApiSpec,
} from "../../src/openapi/index.js";
import { closedPort, startLoopback } from "./support/loopback-server.js";
import { specOf } from "./support/spec-builder.js";

const spec = specOf({ "/pets": { get: { operationId: "listPets", summary: "List pets" } } });
const asJson = JSON.stringify(spec);
const asYaml = `
openapi: 3.1.0
info: { title: Pets, version: "1" }
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
`;
const listed = [{ operationId: "listPets", method: "GET", path: "/pets", summary: "List pets" }];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "openapi-load-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("a document is read", () => {
  it("from a parsed object", () => {
    expect(listOperations(spec)).toEqual(listed);
  });

  it("from JSON text", () => {
    expect(listOperations(asJson)).toEqual(listed);
  });

  it("from YAML text", () => {
    expect(listOperations(asYaml)).toEqual(listed);
  });

  it("from a JSON file", () => {
    expect(listOperations(file("pets.json", asJson))).toEqual(listed);
  });

  it("from a YAML file, whatever its name ends in", () => {
    expect(listOperations(file("pets.txt", asYaml))).toEqual(listed);
  });

  it("from a file URL", () => {
    expect(listOperations(pathToFileURL(file("by-url.json", asJson)).href)).toEqual(listed);
  });

  it("from a file, asynchronously", async () => {
    expect(Object.keys(await createOpenApiTools(file("async.yaml", asYaml)))).toEqual(["listPets"]);
  });

  it.each([
    ["JSON", asJson],
    ["YAML", asYaml],
  ])("from a URL that answers with %s", async (_format, text) => {
    const server = await startLoopback((_request, response) => response.end(text));
    expect(Object.keys(await createOpenApiTools(`${server.origin}/openapi`))).toEqual(["listPets"]);
  });

  it("with a byte order mark in front", () => {
    expect(listOperations(`\uFEFF${asJson}`)).toEqual(listed);
  });

  it("with a version that YAML takes for a number", () => {
    expect(listOperations(asYaml.replace("3.1.0", "3.0"))).toEqual(listed);
  });

  it("with comments and trailing commas, which JSON forbids and YAML knows", () => {
    expect(listOperations(asJson.replace('"paths"', ' # the paths\n"paths"').replace(/}$/, ",}"))).toEqual(
      listed,
    );
  });

  it("with YAML anchors and merge keys", () => {
    const text = `
openapi: 3.0.3
info: { title: t, version: "1" }
x-common: &common
  summary: Shared
paths:
  /a:
    get: { <<: *common, operationId: a }
  /b:
    get: { <<: *common, operationId: b }
`;
    expect(listOperations(text).map(({ operationId, summary }) => [operationId, summary])).toEqual([
      ["a", "Shared"],
      ["b", "Shared"],
    ]);
  });

  it("of a later 3.x version", () => {
    expect(listOperations(asYaml.replace("3.1.0", "3.2.0"))).toEqual(listed);
  });

  it("without paths, as one without operations", () => {
    expect(listOperations('{"openapi":"3.1.0","info":{"title":"t","version":"1"}}')).toEqual([]);
  });

  it("without being changed", () => {
    const before = structuredClone(spec);
    createOpenApiToolsSync(spec);
    expect(spec).toEqual(before);
  });
});

it("a document can be written by hand, with the types checking it", () => {
  const typed: OpenApiSpec = {
    openapi: "3.0.3",
    info: { title: "Pets", version: "1", description: "All of them." },
    servers: [{ url: "https://{host}", variables: { host: { default: "pets.test" } } }],
    paths: {
      "/pets/{id}": {
        parameters: [{ $ref: "#/components/parameters/Id" }],
        put: {
          operationId: "putPet",
          tags: ["pets"],
          deprecated: true,
          requestBody: { $ref: "#/components/requestBodies/Pet" },
          responses: { 200: { description: "OK" } },
        },
      },
    },
    components: {
      parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } } },
      requestBodies: {
        Pet: { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } },
      },
      schemas: {
        Pet: { type: "object", properties: { name: { type: "string", nullable: true } }, required: ["name"] },
      },
    },
  };
  expect(listOperations(typed).map(({ operationId }) => operationId)).toEqual(["putPet"]);
});

describe("OPENAPI_SPEC_LOAD_FAILED says", () => {
  const failure = (message: RegExp | string) =>
    expect.objectContaining({
      name: "ServiceError",
      code: "OPENAPI_SPEC_LOAD_FAILED",
      message: expect.stringMatching(message),
    });

  it("that the document is Swagger 2.0", () => {
    expect(() => listOperations('{"swagger":"2.0","info":{},"paths":{}}')).toThrow(
      failure(/Swagger 2\.0 document; only OpenAPI 3\.0 and 3\.1/),
    );
  });

  it("which other version it is", () => {
    expect(() => listOperations(specOf({}, { openapi: "4.0.0" }))).toThrow(
      failure(/is an OpenAPI 4\.0\.0 document/),
    );
  });

  it("that it has no version", () => {
    expect(() => listOperations('{"info":{"title":"t"},"paths":{}}')).toThrow(failure(/no `openapi` field/));
  });

  it.each([
    ["a list", "[1, 2]"],
    ["plain text", "just\nsome words"],
    ["nothing", "\n\n"],
  ])("that the text holds %s", (what, text) => {
    expect(() => listOperations(text)).toThrow(failure(new RegExp(`holds ${what} where an OpenAPI object`)));
  });

  it("where JSON is broken", () => {
    expect(() => listOperations('{\n  "openapi": "3.0.0",\n  "info": {\n')).toThrow(
      failure(/neither valid JSON nor valid YAML.*line 4, column 1/),
    );
  });

  it("where YAML is broken", () => {
    const broken = file("broken.yaml", "openapi: 3.0.0\ninfo:\n  title: [unclosed\npaths: {}\n");
    expect(() => listOperations(broken)).toThrow(failure(/broken\.yaml is neither .* line \d+, column \d+/));
  });

  it("the position for machines too", () => {
    const error = catchError(() => listOperations("openapi: 3.0.0\n\tinfo: 1\n"));
    expect(error).toMatchObject({ details: { line: 2, column: expect.any(Number) } });
  });

  it("that aliases multiply without end", () => {
    const levels = Array.from({ length: 12 }, (_, n) => `l${n + 1}: &l${n + 1} [${`*l${n},`.repeat(12)}]`);
    const bomb = `openapi: 3.0.0\nl0: &l0 [x]\n${levels.join("\n")}\n`;
    expect(() => listOperations(bomb)).toThrow(failure(/cannot be expanded/));
  });

  it("that a file does not exist", async () => {
    const path = join(folder, "nowhere.yaml");
    expect(() => listOperations(path)).toThrow(failure(/nowhere\.yaml does not exist/));
    await expect(createOpenApiTools(path)).rejects.toEqual(failure(/nowhere\.yaml does not exist/));
  });

  it("why a file cannot be read", () => {
    expect(() => listOperations(folder)).toThrow(failure(/cannot be read: .*EISDIR/));
  });

  it("that a file URL names another machine", () => {
    expect(() => listOperations("file://elsewhere/openapi.json")).toThrow(failure(/cannot be read: /));
  });

  it("that the text is empty", () => {
    expect(() => listOperations("")).toThrow(failure(/is empty/));
  });

  it.each([null, undefined, 7])("that %s is no document", (input) => {
    expect(() => listOperations(input as never)).toThrow(failure(/where an OpenAPI object is expected/));
  });

  it("that a URL cannot be fetched synchronously", () => {
    expect(() => createOpenApiToolsSync("https://example.test/openapi.json")).toThrow(
      failure(/example\.test\/openapi\.json is behind a URL.*asynchronous/),
    );
  });

  it("which status a URL answered with, and whether trying again may help", async () => {
    const server = await startLoopback((request, response) => {
      response.writeHead(request.target === "/gone" ? 404 : 503).end();
    });
    await expect(createOpenApiTools(`${server.origin}/gone`)).rejects.toEqual(failure(/HTTP 404 Not Found/));
    await expect(createOpenApiTools(`${server.origin}/gone`)).rejects.toMatchObject({ retryable: false });
    await expect(createOpenApiTools(`${server.origin}/busy`)).rejects.toMatchObject({ retryable: true });
  });

  it("why a URL cannot be reached", async () => {
    const url = `http://127.0.0.1:${await closedPort()}/openapi.json`;
    const error = await createOpenApiTools(url).catch((thrown: unknown) => thrown);
    expect(error).toEqual(failure(/cannot be fetched: .*ECONNREFUSED/));
    expect(error).toMatchObject({ retryable: true, cause: expect.any(Error) });
  });

  it("nothing of the query or the credentials of a URL", async () => {
    const host = `127.0.0.1:${await closedPort()}`;
    const withQuery = await createOpenApiTools(`http://${host}/spec?token=s3cret-token`).catch(inspect);
    expect(withQuery).toContain("ECONNREFUSED");
    expect(withQuery).not.toContain("s3cret");
    const withLogin = await createOpenApiTools(`http://user:s3cret@${host}/spec`).catch(inspect);
    expect(withLogin).toContain("credentials");
    expect(withLogin).not.toContain("s3cret");
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
