import { describe, expect, it } from "vitest";
import { createOpenApiToolSync } from "../../src/openapi/index.js";
import { startLoopback } from "./support/loopback-server.js";
import { specOfOne } from "./support/spec-builder.js";

/** The values of the style table in the OpenAPI specification. */
const empty = "";
const text = "blue";
const list = ["blue", "black", "brown"];
const object = { R: 100, G: 200, B: 150 };

/** Sends one parameter called `color` and returns what arrived for it. */
async function sent(parameter: Record<string, unknown>, value: unknown): Promise<string> {
  const server = await startLoopback();
  const path = parameter["in"] === "path" ? "/at/{color}/end" : "/at";
  const spec = specOfOne({ parameters: [{ name: "color", ...parameter }] }, { path });
  await createOpenApiToolSync(spec, "call", { baseUrl: server.origin }).execute({ color: value });
  const { target, headers } = server.last();
  if (parameter["in"] === "header") return String(headers["color"]);
  return parameter["in"] === "path" ? target.replace(/^\/at\/|\/end$/g, "") : target.replace(/^\/at\??/, "");
}

type Row = [style: string | undefined, explode: boolean | undefined, value: unknown, expected: string];

describe("a path parameter is written in style", () => {
  const rows: Row[] = [
    [undefined, undefined, text, "blue"],
    ["simple", false, list, "blue,black,brown"],
    ["simple", true, list, "blue,black,brown"],
    ["simple", false, object, "R,100,G,200,B,150"],
    ["simple", true, object, "R=100,G=200,B=150"],
    ["label", false, text, ".blue"],
    ["label", false, list, ".blue,black,brown"],
    ["label", true, list, ".blue.black.brown"],
    ["label", false, object, ".R,100,G,200,B,150"],
    ["label", true, object, ".R=100.G=200.B=150"],
    ["matrix", false, text, ";color=blue"],
    ["matrix", false, empty, ";color="],
    ["matrix", false, list, ";color=blue,black,brown"],
    ["matrix", true, list, ";color=blue;color=black;color=brown"],
    ["matrix", false, object, ";color=R,100,G,200,B,150"],
    ["matrix", true, object, ";R=100;G=200;B=150"],
  ];

  it.each(rows)("%s, explode %s: %j → %s", async (style, explode, value, expected) => {
    expect(await sent({ in: "path", schema: {}, style, explode }, value)).toBe(expected);
  });
});

describe("a query parameter is written in style", () => {
  const rows: Row[] = [
    [undefined, undefined, list, "color=blue&color=black&color=brown"],
    [undefined, undefined, object, "R=100&G=200&B=150"],
    ["form", true, text, "color=blue"],
    ["form", true, empty, "color="],
    ["form", false, list, "color=blue,black,brown"],
    ["form", false, object, "color=R,100,G,200,B,150"],
    ["spaceDelimited", undefined, list, "color=blue%20black%20brown"],
    ["spaceDelimited", false, object, "color=R%20100%20G%20200%20B%20150"],
    ["spaceDelimited", true, list, "color=blue&color=black&color=brown"],
    ["pipeDelimited", undefined, list, "color=blue%7Cblack%7Cbrown"],
    ["pipeDelimited", false, object, "color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
    ["deepObject", undefined, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ];

  it.each(rows)("%s, explode %s: %j → %s", async (style, explode, value, expected) => {
    expect(await sent({ in: "query", schema: {}, style, explode }, value)).toBe(expected);
  });

  it("deepObject continues in brackets where objects and lists are nested", async () => {
    const value = { a: { b: 1, c: null }, d: ["x", "y"], e: [] };
    expect(decodeURIComponent(await sent({ in: "query", style: "deepObject", schema: {} }, value))).toBe(
      "color[a][b]=1&color[d][]=x&color[d][]=y",
    );
  });

  it("form, where a style is given that queries do not have", async () => {
    expect(await sent({ in: "query", style: "matrix", schema: {} }, text)).toBe("color=blue");
  });
});

describe("a header is written in style", () => {
  const rows: Row[] = [
    [undefined, undefined, text, "blue"],
    ["simple", false, list, "blue,black,brown"],
    ["simple", false, object, "R,100,G,200,B,150"],
    ["simple", true, object, "R=100,G=200,B=150"],
    ["simple", false, 7, "7"],
    ["simple", false, false, "false"],
  ];

  it.each(rows)("%s, explode %s: %j → %s", async (style, explode, value, expected) => {
    expect(await sent({ in: "header", schema: {}, style, explode }, value)).toBe(expected);
  });
});

describe("a parameter described by `content` travels as JSON", () => {
  const content = { "application/json": { schema: {} } };
  const value = { a: [1, "é"] };

  it("in the query", async () => {
    const raw = await sent({ in: "query", content }, value);
    expect(raw).toBe(`color=${encodeURIComponent('{"a":[1,"é"]}')}`);
  });

  it("in the path", async () => {
    expect(decodeURIComponent(await sent({ in: "path", content }, value))).toBe('{"a":[1,"é"]}');
  });

  it("in a header", async () => {
    expect(await sent({ in: "header", content }, { a: 1 })).toBe('{"a":1}');
  });
});

describe("values", () => {
  const query = { in: "query", schema: {} };
  const reserved = ":/?#[]@!$&'()*+,;= %";

  it("are percent-encoded in the query and the path, delimiters included", async () => {
    const encoded = [...Buffer.from(reserved)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join("");
    expect(await sent(query, reserved)).toBe(`color=${encoded}`);
    expect(await sent({ in: "path", schema: {} }, reserved)).toBe(encoded);
  });

  it("keep a comma of their own apart from the commas between them", async () => {
    expect(await sent({ ...query, explode: false }, ["a,b", "c"])).toBe("color=a%2Cb,c");
  });

  it("keep reserved characters with `allowReserved`, except those that end a value", async () => {
    expect(await sent({ ...query, allowReserved: true }, reserved)).toBe(
      "color=:/?%23%5B%5D@!$%26%27()*%2B,;=%20%25",
    );
  });

  it("keep triples that are percent-encoded already with `allowReserved`", async () => {
    expect(await sent({ ...query, allowReserved: true }, "a%2Fb%zz")).toBe("color=a%2Fb%25zz");
    expect(await sent(query, "a%2Fb")).toBe("color=a%252Fb");
  });

  it("of other alphabets are sent as UTF-8", async () => {
    expect(await sent(query, "Žluťoučký 🐎")).toBe("color=%C5%BDlu%C5%A5ou%C4%8Dk%C3%BD%20%F0%9F%90%8E");
  });

  it("with half a character are sent with U+FFFD", async () => {
    expect(await sent(query, "a\uD83D")).toBe("color=a%EF%BF%BD");
  });

  it.each([null, undefined, [], {}, [null]])("%j send nothing", async (value) => {
    expect(await sent(query, value)).toBe("");
  });

  it.each([
    [0, "0"],
    [false, "false"],
    [1e21, "1e%2B21"],
    [[true, 2], "true&color=2"],
  ])("%j is sent as itself", async (value, expected) => {
    expect(await sent(query, value)).toBe(`color=${expected}`);
  });

  it("nested deeper than a style knows travel as JSON", async () => {
    const raw = await sent({ ...query, explode: false }, [{ id: 1 }, [2]]);
    expect(raw.split("=")[1]?.split(",").map(decodeURIComponent)).toEqual(['{"id":1}', "[2]"]);
  });
});
