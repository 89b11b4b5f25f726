import { applyEdits, type FormattingOptions, modify, parse, type ParseError } from "jsonc-parser";

/** A member that a file is to have. */
export interface WantedMember {
  readonly path: readonly string[];
  readonly value: unknown;
  /** Elsewhere in the file it is as good. @default nowhere */
  readonly elsewhere?: readonly (readonly string[])[];
  /** Where it is missing, that is only said. @default false */
  readonly isNeverAdded?: boolean;
}

export interface MergedJson {
  readonly text: string;
  /** Members that were added. */
  readonly added: readonly WantedMember[];
  /** Members that have another value, or undefined, and stay so. */
  readonly kept: readonly (WantedMember & { readonly is: unknown })[];
}

/**
 * Adds members that a text of JSON, also with comments, does not have; everything else stays as it is written.
 * Undefined for a text that holds no object.
 */
export function mergeJson(text: string, wanted: readonly WantedMember[]): MergedJson | undefined {
  const errors: ParseError[] = [];
  const before: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 || typeof before !== "object" || before === null || Array.isArray(before))
    return undefined;
  const added: WantedMember[] = [];
  const kept: (WantedMember & { is: unknown })[] = [];
  let merged = text;
  for (const member of wanted) {
    const { path, value, elsewhere = [], isNeverAdded = false } = member;
    const is = [path, ...elsewhere].map((at) => valueAt(before, at)).find((found) => found !== undefined);
    if (is === undefined && !isNeverAdded) {
      merged = applyEdits(
        merged,
        modify(merged, [...path], value, { formattingOptions: formattingOf(text) }),
      );
      added.push(member);
    } else if (JSON.stringify(is) !== JSON.stringify(value)) kept.push({ ...member, is });
  }
  return { text: merged, added, kept };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** As the text is indented already. */
function formattingOf(text: string): FormattingOptions {
  const [, indent = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol,
  };
}
