import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";
import {
  createOpenApiToolsSync,
  describeOperations,
  listOperations,
  type OpenApiInput,
  type OpenApiTool,
} from "../../src/openapi/index.js";
import { bazaar } from "./support/corpus/bazaar.js";
import { clinic } from "./support/corpus/clinic.js";
import { cluster } from "./support/corpus/cluster.js";
import { forge } from "./support/corpus/forge.js";
import { ledger } from "./support/corpus/ledger.js";
import { modern } from "./support/corpus/modern.js";
import { zoo } from "./support/corpus/zoo.js";
import { startLoopback } from "./support/loopback-server.js";
import { sampleOf } from "./support/sample-input.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Documents of the shapes that large public APIs have, by name, with the number of their operations. */
const generated: [name: string, make: () => unknown, operations: number][] = [
  ["forge", forge, 400],
  ["ledger", ledger, 80],
  ["cluster", cluster, 125],
  ["clinic", clinic, 81],
  ["zoo", zoo, 75],
  ["modern", modern, 80],
  ["bazaar", bazaar, 120],
];

/** Every so many, so that it is about 40: a document repeats its own shapes all through. */
function spread<T>(list: readonly T[]): T[] {
  const step = Math.ceil(list.length / 40);
  return list.filter((_, index) => index % step === 0);
}

/** The rules of model providers. */
function expectSound(tools: Record<string, OpenApiTool>): void {
  for (const [name, { description }] of Object.entries(tools)) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(description.trim().length).toBeGreaterThan(0);
    expect(description.length).toBeLessThan(2_000);
  }
  for (const { inputSchema } of spread(Object.values(tools))) {
    for (const target of ["draft-7", "draft-2020-12"] as const) {
      const shown = z.toJSONSchema(inputSchema, { target, io: "input", reused: "inline" });
      expect(shown.type).toBe("object");
      for (const key of Object.keys(shown.properties ?? {})) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
      expect(JSON.stringify(shown).length).toBeLessThan(250_000);
    }
  }
}

describe.each(generated)("the document %s", (_name, make, count) => {
  it("gives one sound tool per operation", () => {
    const document = make() as OpenApiInput;
    expect(listOperations(document)).toHaveLength(count);
    const tools = createOpenApiToolsSync(document);
    expect(Object.keys(tools)).toHaveLength(count);
    expectSound(tools);
  });

  it("gives the same operations as JSON and as YAML", () => {
    const operations = listOperations(make() as OpenApiInput);
    expect(listOperations(JSON.stringify(make()))).toEqual(operations);
    expect(listOperations(stringify(make(), { aliasDuplicateObjects: false }))).toEqual(operations);
  });

  it("gives inputs that take what they describe, and requests that arrive", async () => {
    const server = await startLoopback();
    const document = make() as OpenApiInput;
    const tools = createOpenApiToolsSync(document, { baseUrl: `${server.origin}/base` });
    const callable = (await describeOperations(document)).filter((operation) => operation.callable);
    const called = spread(callable);
    for (const { toolName, method } of called) {
      const { inputSchema, execute } = tools[toolName] as OpenApiTool;
      const shown = z.toJSONSchema(inputSchema, { io: "input" });
      const input = sampleOf(shown, shown) as Record<string, unknown>;
      expect(inputSchema.safeParse(input)).toMatchObject({ success: true });
      expect(await execute(input)).toEqual({});
      expect(server.last().method).toBe(method);
      expect(server.last().target).toMatch(/^\/base\/[^{}\s]*$/);
    }
    expect(server.requests).toHaveLength(called.length);
  });
});

describe("documents found on this machine", () => {
  const MOST_BYTES = 20_000_000;
  const folder = process.env["OPENAPI_CORPUS"];
  const patterns = ["**/*{openapi,swagger}*.{json,yaml,yml}", "**/openapi/**/*.{json,yaml,yml}"];
  const inPackages = globSync(patterns, { cwd: join(root, "node_modules"), absolute: true, dot: false });
  const inFolder =
    folder !== undefined && existsSync(folder)
      ? globSync("**/*.{json,yaml,yml}", { cwd: folder, absolute: true })
      : [];
  const documents = [...inPackages, ...inFolder].filter((path) => {
    if (statSync(path).size > MOST_BYTES) return false;
    return /^\s*(\{\s*)?"?openapi"?\s*:\s*["']?3\./m.test(readFileSync(path, "utf8").slice(0, 5_000));
  });

  it("in packages, or in the folder OPENAPI_CORPUS, give one sound tool per operation", () => {
    for (const path of documents) {
      const tools = createOpenApiToolsSync(path);
      expect(Object.keys(tools), path).toHaveLength(listOperations(path).length);
      expectSound(tools);
    }
  });
});
