import fc from "../../support/property-tests.js";
import { describe, expect, it } from "vitest";
import { extractJson } from "../../../src/agents/structured/extract-json.js";

const fence = (body: string, info = "json") => `\`\`\`${info}\n${body}\n\`\`\``;

/** What models really write around, before and instead of the object that was asked for. */
const found: [name: string, text: string, value: unknown][] = [
  ["bare object", '{"a":1}', { a: 1 }],
  ["bare array", "[1,2]", [1, 2]],
  ["blank space around", '\n\n  {"a":1}\t\n', { a: 1 }],
  ["byte order mark", '\uFEFF{"a":1}', { a: 1 }],
  ["byte order mark before prose", '\uFEFFHere: {"a":1}', { a: 1 }],
  ["carriage returns", '{\r\n"a":1\r\n}', { a: 1 }],
  ["json fence", fence('{"a":1}'), { a: 1 }],
  ["fence without info", fence('{"a":1}', ""), { a: 1 }],
  ["fence with carriage returns", '```json\r\n{"a":1}\r\n```\r\n', { a: 1 }],
  ["tilde fence", '~~~json\n{"a":1}\n~~~', { a: 1 }],
  ["indented fence in a list", '- result:\n  ```json\n  {"a":1}\n  ```', { a: 1 }],
  ["fence on one line", 'So: ```json {"a":1} ```', { a: 1 }],
  ["fence never closed", '```json\n{"a":1}', { a: 1 }],
  ["two fences", `${fence('{"a":1}')}\nBetter:\n${fence('{"a":2}')}`, { a: 2 }],
  ["code fence after the answer", `${fence('{"a":1}')}\nUse it:\n${fence("go(a)", "ts")}`, { a: 1 }],
  ["fence before an object in prose", `${fence('{"a":1}')}\nas opposed to {"a":0}`, { a: 1 }],
  ["longer fence around a shorter one", '````json\n{"a":"x"}\n````', { a: "x" }],
  ["fence marks inside a string", fence('{"a":"```js\\nx()\\n```"}'), { a: "```js\nx()\n```" }],
  ["prose before", 'Sure! {"a":1}', { a: 1 }],
  ["prose after", '{"a":1} Let me know.', { a: 1 }],
  ["quotes in the prose", 'He said "use { here": {"a":1}', { a: 1 }],
  ["apostrophes in the prose", "It's {\"a\":1}, isn't it?", { a: 1 }],
  ["braces in the prose", 'Set {x} and {{y}} first: {"a":1}', { a: 1 }],
  ["two objects", 'First {"a":1}, then {"a":2}', { a: 2 }],
  ["footnote after the object", '{"a":1} as in [1]', { a: 1 }],
  ["array in prose", "The list is [1, 2].", [1, 2]],
  ["array of objects in prose", 'Rows: [{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
  ["braces in strings", 'x {"a":"}{ ]["} y', { a: "}{ ][" }],
  ["escaped quotes in strings", 'x {"a":"say \\"}\\" now"} y', { a: 'say "}" now' }],
  ["backslash before the closing quote", 'x {"a":"C:\\\\"} y', { a: "C:\\" }],
  ["nested values", 'x {"a":{"b":[{"c":{}}]}} y', { a: { b: [{ c: {} }] } }],
  ["empty object", "Nothing: {}", {}],
  ["unicode", 'x {"ä":"😀\\u00e9"} y', { ä: "😀é" }],
  ["object encoded twice", JSON.stringify('{"a":1}'), { a: 1 }],
  ["unclosed brace in prose, on its own", 'open with { then {"a":1}', { a: 1 }],
];

const nothing: [name: string, text: string][] = [
  ["empty text", ""],
  ["prose", "I could not do that."],
  ["a bare number", "42"],
  ["a bare word of JSON", "null"],
  ["a bare string", '"done"'],
  ["trailing comma", '{"a":1,}'],
  ["trailing comma after a nested object", '{"a":{"b":1},}'],
  ["trailing comma in a fence", fence('{"a":{"b":1},}')],
  ["single quotes", "{'a': 1}"],
  ["comment", '{"a":1 // one\n}'],
  ["cut off in a string", '{"a":"begin'],
  ["cut off after a complete inner object", '{"items":[{"a":1},{"a":2'],
  ["cut off after a complete first draft", '{"a":1}\n{"a":2'],
  ["cut off inside a fence", '```json\n{"a":{"b":1}'],
  ["wrong closing bracket", '{"a":[{"b":1}}'],
  ["NaN", '{"a":NaN}'],
];

describe("extractJson finds the object in", () => {
  it.each(found)("%s", (_name, text, value) => {
    expect(extractJson(text)).toEqual(value);
  });
});

describe("extractJson finds nothing in", () => {
  it.each(nothing)("%s", (_name, text) => {
    expect(extractJson(text)).toBeUndefined();
  });
});

describe("extractJson, whatever the text", () => {
  const prose = fc.string({ unit: fc.constantFrom("a", " ", ".", "'", '"', "{x}", "\n", ":", ",") });
  const row = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });

  it("finds any object behind any prose", () => {
    fc.assert(
      fc.property(prose, row, (before, value) => {
        expect(extractJson(`${before}\n${JSON.stringify(value)}`)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("finds any pretty-printed object in a fence between any prose", () => {
    fc.assert(
      fc.property(prose, row, prose, (before, value, after) => {
        const text = `${before}\n${fence(JSON.stringify(value, null, 2))}\n${after}`;
        expect(extractJson(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("never takes a part of a cut-off object for the answer", () => {
    fc.assert(
      fc.property(row, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
        const json = JSON.stringify(value);
        const cut = json.slice(0, Math.floor(share * (json.length - 1)));
        expect(extractJson(cut)).toBeUndefined();
      }),
    );
  });

  it("reads a long text of opening brackets, or of half a fence, in one pass", () => {
    const opening = '{"a":'.repeat(100_000);
    expect(extractJson(opening)).toBeUndefined();
    expect(extractJson("```json\n~~~\n".repeat(20_000))).toBeUndefined();
    expect(extractJson(`${"~".repeat(500_000)}\``)).toBeUndefined();
  });
});
