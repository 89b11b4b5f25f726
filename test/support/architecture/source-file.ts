import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { globSync } from "tinyglobby";
import { parseAst } from "vitest/node";

/** A node of the ESTree (with TypeScript nodes) that the parser gives. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface ImportReference {
  readonly specifier: string;
  /** `type` is erased; `dynamic` is an `import()` expression or a `require` call. */
  readonly kind: "value" | "type" | "dynamic";
  readonly line: number;
}

export interface SourceFile {
  /** Relative to the package root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly program: SyntaxNode;
  readonly imports: readonly ImportReference[];
}

/** Parses one module. Throws an error that names the path when its syntax is wrong. */
export function parseSource(path: string, text: string): SourceFile {
  const program = parse(path, text);
  return { path, text, program, imports: collectImports(program, text) };
}

function parse(path: string, text: string): SyntaxNode {
  const lang = path.endsWith(".js") ? "jsx" : path.endsWith(".tsx") ? "tsx" : "ts";
  try {
    // The parser's own type is a union without a common shape for walking.
    return parseAst(text, { lang, astType: "ts", sourceType: "module" }, path) as unknown as SyntaxNode;
  } catch (cause) {
    throw new Error(`${path} cannot be parsed`, { cause });
  }
}

/** Every module under the folders of the package, parsed. */
export function readSources(packageRoot: string, folders: readonly string[]): SourceFile[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`),
    { cwd: packageRoot, ignore: ["**/node_modules/**", "**/fixtures/**"] },
  )
    .sort()
    .map((path) => parseSource(path, readFileSync(posix.join(packageRoot, path), "utf8")));
}

/** Visits `root` and everything below it, parents first. */
export function walk(root: SyntaxNode, visit: (node: SyntaxNode) => void): void {
  visit(root);
  for (const member of Object.values(root)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (isSyntaxNode(child)) walk(child, visit);
    }
  }
}

/** All nodes of one type, in source order. */
export function nodesOf(root: SyntaxNode, type: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  walk(root, (node) => {
    if (node.type === type) found.push(node);
  });
  return found;
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}

/** The name of an Identifier node; undefined for any other value. */
export function identifierName(value: unknown): string | undefined {
  return isSyntaxNode(value) && value.type === "Identifier" ? String(value["name"]) : undefined;
}

/** 1-based line of a node. */
export function lineOf(text: string, node: SyntaxNode): number {
  return text.slice(0, node.start).split("\n").length;
}

function collectImports(program: SyntaxNode, text: string): ImportReference[] {
  const found: ImportReference[] = [];
  walk(program, (node) => {
    const kind = importKindOf(node);
    const source = isRequire(node) ? (node["arguments"] as unknown[])[0] : node["source"];
    if (kind === undefined || !isSyntaxNode(source) || typeof source["value"] !== "string") return;
    found.push({ specifier: source["value"], kind, line: lineOf(text, node) });
  });
  return found;
}

function importKindOf(node: SyntaxNode): ImportReference["kind"] | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return isErased(node, "importKind") ? "type" : "value";
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return isErased(node, "exportKind") ? "type" : "value";
    case "TSImportType":
      return "type";
    case "ImportExpression":
      return "dynamic";
    default:
      return isRequire(node) ? "dynamic" : undefined;
  }
}

/** With `verbatimModuleSyntax`, `import { type A }` still loads the module: only `import type` is erased. */
function isErased(node: SyntaxNode, member: "importKind" | "exportKind"): boolean {
  return node[member] === "type";
}

function isRequire(node: SyntaxNode): boolean {
  return node.type === "CallExpression" && identifierName(node["callee"]) === "require";
}
