import type { PublicDeclaration } from "./docstrings.js";

const HEAD = `# Every public name

Generated from the docstrings: \`npm run docs:reference\`. An editor shows each of them whole, with its members, units
and defaults. What the guides of the [README](../README.md#documentation) explain at length is here in one sentence.
What is not on this page is not public, and may change in any release.
`;

/** The page: a table per import, each name where it is first offered. */
export function renderReference(declarations: readonly PublicDeclaration[]): string {
  const imports = [...new Set(declarations.flatMap(({ entries }) => entries))];
  const sections = imports.map((name) => section(name, declarations));
  return [HEAD, ...sections.filter((text) => text !== "")].join("\n");
}

function section(name: string, declarations: readonly PublicDeclaration[]): string {
  const offered = declarations.filter(({ entries }) => entries.includes(name));
  const own = offered.filter(({ entries }) => entries[0] === name);
  const others = offered.filter((one) => !own.includes(one));
  const lines = [`## \`${name}\`\n`];
  if (own.length > 0) {
    lines.push("| name | kind | purpose |", "| --- | --- | --- |", ...sorted(own).map(row), "");
  }
  if (others.length > 0) {
    const names = sorted(others).map((one) => `\`${one.name}\``);
    lines.push(`${own.length > 0 ? "Also" : "Offers"}, from the tables above: ${names.join(", ")}.\n`);
  }
  return lines.join("\n");
}

function sorted(declarations: readonly PublicDeclaration[]): PublicDeclaration[] {
  return declarations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function row({ name, kind, text }: PublicDeclaration): string {
  return `| \`${name}\` | ${kind} | ${firstSentence(text).replaceAll("|", "\\|")} |`;
}

/** Up to the first full stop that ends a sentence: one that a capital or nothing follows. */
function firstSentence(text: string): string {
  const line = text.replaceAll(/\{@link (\w+)\}/g, "`$1`").replaceAll(/\s+/g, " ");
  return /^.*?[.:](?= [A-Z`]|$)/.exec(line)?.[0].replace(/:$/, ".") ?? line;
}
