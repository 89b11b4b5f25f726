import { expect, it } from "vitest";
import { compileLinearPattern } from "../../src/patterns/linear-pattern.js";
import { createTools } from "../../src/tools/index.js";
import { workspace } from "../tools/support/workspace.js";

const text = `${"a".repeat(16_000)}!`;

/** With a backtracking engine each of these takes longer than the universe has existed, or freezes for minutes. */
const catastrophic = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^([a-zA-Z]+)*$",
  "^(.*)*$\\b{0}x",
  "(a*)*b",
  "(.*a){20}b",
  "^(\\w+\\s?)*$",
  "a*a*a*a*a*a*b",
];

it.each(catastrophic)("grep answers to %s on a line that makes it backtrack", async (pattern) => {
  const rootDir = await workspace({ f: `${text}\n` });
  const { grep } = createTools({ rootDir });
  await grep.execute({ pattern }).catch((error) => expect(error).toMatchObject({ code: "TOOL_GREP_FAILED" }));
});

it("a pattern whose repetitions multiply is refused before it is run", async () => {
  expect(await compileLinearPattern("(a?){500}a{500}b{500}c{500}")).toEqual({
    problem: "its repetitions make it too large",
  });
  expect(await compileLinearPattern("a".repeat(10_001))).toEqual({
    problem: "it has more than 10000 characters",
  });
});

it("patterns mean what they mean in JavaScript", async () => {
  for (const [source, yes, no] of [
    ["^\\d{3}-\\d{4}$", "555-1234", "5555-1234"],
    ["^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$", "ada@example.org", "ada@example"],
    ["\\u00e9", "café", "cafe"],
    ["^(?<year>\\d{4})$", "2026", "26"],
    ["\\bcat\\b", "a cat", "concatenate"],
  ] as const) {
    const compiled = await compileLinearPattern(source);
    if ("problem" in compiled) throw compiled.problem;
    expect([compiled.pattern.test(yes), compiled.pattern.test(no)]).toEqual([true, false]);
  }
});
