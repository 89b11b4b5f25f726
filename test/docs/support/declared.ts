import { components } from "../../../src/components/components.js";
import type { Page } from "./pages.js";

/** A table of the members of a component's props or of a type: `| Prop of `Task` | Type | Default | Meaning |`. */
export interface MemberTable {
  page: string;
  /** A component, or a type that the package exports. */
  owner: string;
  /**
   * `type` is null where it is said in words, `isRequired` where the table has no defaults, `default` (as
   * Markdown) as well where there is none.
   */
  members: { name: string; type: string | null; isRequired: boolean | null; default: string | null }[];
}

/** A function as a page states it: ```` ```ts signature ````. */
export interface Signature {
  page: string;
  name: string;
  isClass: boolean;
  /** From the type parameters on, on one line. */
  rest: string;
}

const HEAD =
  /^\| (?:Prop|Option|Field) of `(\w+)` \| Type \| (?:Default \| )?Meaning \|\n\|[-| ]+\|\n((?:\|.*\n)+)/gm;

/** Types that no code in a cell could say. */
const IN_WORDS = new Set(["see above", "an object"]);

/** @throws Error for a row whose first cell is not a name, or whose type is not code */
export function memberTables({ path, text }: Page): MemberTable[] {
  return [...text.matchAll(HEAD)].map(([head, owner = "", body = ""]) => {
    const hasDefault = /\| Default \|/.test(head);
    const members = body
      .trim()
      .split("\n")
      .map((line) => {
        const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
        const name = /^`(\w+)`$/.exec(cells[1] ?? "")?.[1];
        if (name === undefined) throw new Error(`${path}: no name in the first cell of ${line}`);
        const code = /^`(.+)`$/.exec(cells[2] ?? "")?.[1];
        if (code === undefined && !IN_WORDS.has(cells[2] ?? ""))
          throw new Error(`${path}: no type in ${line}`);
        const type = code?.replaceAll("\\|", "|") ?? null;
        const value = hasDefault ? (cells[3] ?? "") : "";
        return {
          name,
          type,
          isRequired: hasDefault ? value === "required" : null,
          default: ["", "none", "required"].includes(value) ? null : value,
        };
      });
    return { page: path, owner, members };
  });
}

export function signatures({ path, text }: Page): Signature[] {
  return [...text.matchAll(/^```ts signature\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    block
      .trim()
      .split(/\n(?=\w)/)
      .map((one) => {
        const found = /^(new )?(\w+)(.*)$/s.exec(one);
        if (found === null) throw new Error(`${path}: not a signature: ${one}`);
        const [, isClass, name = "", rest = ""] = found;
        return { page: path, name, isClass: isClass !== undefined, rest: rest.replace(/\s+/g, " ") };
      }),
  );
}

/** The components of the package under their names, each once: an old name of one is not another. */
export function componentNames(): string[] {
  const names = new Map<unknown, string>();
  for (const [name, value] of Object.entries(components)) {
    if (/^[A-Z]/.test(name) && !names.has(value)) names.set(value, name);
  }
  return [...names.values()];
}
