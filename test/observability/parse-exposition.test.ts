import { describe, expect, it } from "vitest";
import { parseExposition } from "./support/parse-exposition.js";

const head = "# HELP a A.\n# TYPE a counter\n";

describe("the parser that the other tests trust", () => {
  it("reads names, labels and numbers", () => {
    expect(parseExposition(`${head}a{x="1\\\\\\"\\n",y=""} 1.5e+21\n`).get("a")).toEqual({
      name: "a",
      help: "A.",
      type: "counter",
      samples: [{ name: "a", labels: { x: '1\\"\n', y: "" }, value: 1.5e21 }],
    });
  });

  it.each([
    ["a last line that does not end", `${head}a 1`],
    ["an empty line", `${head}\na 1\n`],
    ["a value without a family", "a 1\n"],
    ["a type without help", "# TYPE a counter\na 1\n"],
    ["help without a type", "# HELP a A.\na 1\n"],
    ["an unknown type", "# HELP a A.\n# TYPE a count\na 1\n"],
    ["a family in two pieces", `${head}a 1\n# HELP b B.\n# TYPE b counter\nb 1\n${head}a{x="1"} 1\n`],
    ["a value of another family", `${head}b 1\n`],
    ["a suffix that the type does not have", `${head}a_sum 1\n`],
    ["a series that comes twice", `${head}a{x="1"} 1\na{x="1"} 2\n`],
    ["a label that comes twice", `${head}a{x="1",x="2"} 1\n`],
    ["a quote that is not escaped", `${head}a{x="1"2"} 1\n`],
    ["an escape that the format does not have", `${head}a{x="\\t"} 1\n`],
    ["braces without labels", `${head}a{} 1\n`],
    ["a comma at the end", `${head}a{x="1",} 1\n`],
    ["a number as JavaScript writes infinity", `${head}a Infinity\n`],
    ["no number", `${head}a \n`],
  ])("refuses %s", (_what, text) => {
    expect(() => parseExposition(text)).toThrow();
  });
});
