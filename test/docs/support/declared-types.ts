import { memberTables, componentNames, signatures } from "./declared.js";
import type { Page } from "./pages.js";

/** A module that compiles only if what a page states about types is so; `subjects` says what each line is about. */
export interface TypeCheck {
  text: string;
  subjects: string[];
}

/** Types of other packages that pages name. */
const IMPORTS = [
  'import type * as treadle from "treadle";',
  'import type { MockAgent, MockScorer, TestWorkflowOptions, VirtualClock } from "treadle/testing";',
];

/** Alike for a reader: `readonly` apart, each may stand where the other is expected, and their members have the same names. */
const SAME = [
  "type Plain<T> = T extends readonly (infer U)[] ? U[] : T;",
  "type Members<T> = T extends (...args: never[]) => unknown ? never : T extends object ? keyof T : never;",
  "type Fits<A, B> = [Plain<A>] extends [Plain<B>] ? ([Members<A>] extends [Members<B>] ? true : false) : false;",
  "type Same<Code, Page> = Fits<Code, Page> extends true ? (Fits<Page, Code> extends true ? true : { code: Code; page: Page }) : { code: Code; page: Page };",
  // Without index signatures.
  "type Names<T> = T extends unknown ? keyof { [K in keyof T as string extends K ? never : K]: 1 } : never;",
  "type Member<T, K> = T extends unknown ? (K extends keyof T ? Exclude<T[K], undefined> : never) : never;",
  "type MustInEach<T, K> = T extends unknown ? (K extends keyof T ? ({} extends Pick<T, K> ? false : true) : false) : never;",
  "type Must<T, K> = false extends MustInEach<T, K> ? false : true;",
  "type PropsOf<C> = C extends (props: infer P) => unknown ? P : never;",
];

/** `typeNames` are the types the package exports, which a page may name. */
export function typeCheckOf(page: Page, typeNames: readonly string[]): TypeCheck {
  const lines: string[] = [...IMPORTS, ...SAME];
  const subjects: string[] = lines.map(() => "the check itself");
  const add = (subject: string, line: string) => {
    lines.push(line);
    subjects.push(subject);
  };
  for (const name of typeNames) add(name, `import type { ${name} } from "treadle";`);
  let count = 0;
  const assert = (subject: string, type: string) =>
    add(subject, `export const check${count++}: ${type} = true;`);

  const components = componentNames();
  for (const { owner, members } of memberTables(page)) {
    const isComponent = components.includes(owner);
    const of = isComponent ? `PropsOf<typeof treadle.${owner}>` : owner;
    const names = members.map(({ name }) => JSON.stringify(name)).join(" | ");
    // React's own `key` needs no words.
    assert(
      `the members of ${owner}`,
      `Same<Exclude<Names<${of}>, ${isComponent ? '"key"' : "never"}>, ${names}>`,
    );
    for (const { name, type, isRequired } of members) {
      const subject = `${name} of ${owner}`;
      const key = JSON.stringify(name);
      if (type !== null) assert(subject, `Same<Member<${of}, ${key}>, Exclude<${type}, undefined>>`);
      if (isRequired !== null)
        assert(`whether ${subject} is required`, `Same<Must<${of}, ${key}>, ${isRequired}>`);
    }
  }
  for (const { name, isClass, rest } of signatures(page)) {
    const subject = `the signature of ${name}`;
    const own = `page${count++}`;
    add(subject, `declare function ${own}${rest}${isClass ? `: treadle.${name}` : ""};`);
    const actual = isClass ? "ConstructorParameters" : "Parameters";
    assert(subject, `Same<${actual}<typeof treadle.${name}>, Parameters<typeof ${own}>>`);
    if (!isClass)
      assert(`what ${name} returns`, `Same<ReturnType<typeof treadle.${name}>, ReturnType<typeof ${own}>>`);
  }
  return { text: `${lines.join("\n")}\n`, subjects };
}
