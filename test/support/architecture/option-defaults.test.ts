import { expect, it } from "vitest";
import { findDifferingDefaults } from "./option-defaults.js";
import { parseSource } from "./source-file.js";

function differences(docstring: string, rule: string): string[] {
  return findDifferingDefaults([
    parseSource(
      "src/a.ts",
      `const LIMIT = 5;
       const DEFAULTS = { most: 7 } as const;
       interface Above { ${docstring} most?: number }
       interface Options extends Omit<Above, "b"> { name?: string }
       const RULES = { name: rules.text, most: ${rule} } satisfies rules.OptionRules<Options>;`,
    ),
  ]);
}

it.each([
  ["/** Most. @default 5 */", "rules.withDefault(rules.count, 5)"],
  ["/** Most. @default 1000000, a million */", "withDefault(rules.count, 1_000_000)"],
  ["/**\n * Most.\n * @default 5\n */", "rules.withDefault(rules.count, LIMIT)"],
  ["/** @default 7 */", "rules.withDefault(rules.count, DEFAULTS.most)"],
  ["/** @default -1: all */", "rules.withDefault(rules.count, -1)"],
  ["/** @default Infinity */", "rules.withDefault(rules.count, Number.POSITIVE_INFINITY)"],
  ['/** @default ["a"] */', 'rules.withDefault(rules.texts, ["a"])'],
  ["/** @default as many as there are */", "rules.withDefault(rules.count, cpus())"],
  ["/** @default none */", "rules.count"],
  ["/** Most. */", "rules.count"],
])("a rule that says what the docstring says is right: %s %s", (docstring, rule) => {
  expect(differences(docstring, rule)).toEqual([]);
});

it.each([
  ["/** @default 6 */", "rules.withDefault(rules.count, 5)"],
  ["/** @default 5 */", "rules.count"],
  ["/** @default none */", "rules.withDefault(rules.count, LIMIT)"],
  ["/** Most. */", "rules.withDefault(rules.count, 5)"],
  ["/** Most. */", "rules.withDefault(rules.count, cpus())"],
  ["/** @default null */", "rules.withDefault(rules.count, Number.POSITIVE_INFINITY)"],
])("a rule that says something else is found: %s %s", (docstring, rule) => {
  expect(differences(docstring, rule)).toEqual([
    expect.stringContaining("src/a.ts:5 Options.most: @default"),
  ]);
});
