import { posix } from "node:path";
import { identifierName, isSyntaxNode, lineOf, type SourceFile, type SyntaxNode } from "./source-file.js";

const BANNED_WORDS = ["Utils", "Helper", "Helpers", "Manager", "Bridge", "Legacy", "Shadow", "V2", "Impl"];

/** Files and exported identifiers whose name contains a word that says nothing. */
export function findBannedNames(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...bannedWordsIn(posix.basename(file.path).split(".")[0] ?? "").map(
      (word) => `${file.path}: the file name contains ${word}`,
    ),
    ...exportsOf(file).flatMap(({ name, line }) =>
      bannedWordsIn(name).map((word) => `${file.path}:${line} exports ${name}, which contains ${word}`),
    ),
  ]);
}

/**
 * Files that are not in kebab-case. `Thing.tsx` is a component and exports `Thing`;
 * `Thing.test.tsx` tests one.
 */
export function findMisnamedFiles(files: readonly SourceFile[]): string[] {
  const components = new Set(files.filter(isComponentFile).map(({ path }) => baseName(path)));
  return files
    .filter((file) => {
      const folders = posix.dirname(file.path).split("/");
      if (folders.some((folder) => !isKebabCase(folder))) return true;
      const [base = "", ...suffixes] = posix.basename(file.path).split(".");
      if (suffixes.some((suffix) => !isKebabCase(suffix))) return true;
      return (
        !isKebabCase(base) && !(components.has(base) && (isComponentFile(file) || suffixes[0] === "test"))
      );
    })
    .map(({ path }) => path);
}

export function findStarExports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    (file.program["body"] as SyntaxNode[])
      .filter(({ type }) => type === "ExportAllDeclaration")
      .map((node) => `${file.path}:${lineOf(file.text, node)}`),
  );
}

/** Names of types that several files declare and export. */
export function findTypesDeclaredTwice(files: readonly SourceFile[]): string[] {
  const homes = new Map<string, Set<string>>();
  for (const file of files) {
    for (const { name } of exportsOf(file).filter(({ isTypeDeclaration }) => isTypeDeclaration)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file.path));
    }
  }
  return [...homes]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name}: ${[...paths].join(", ")}`);
}

/** Names of functions that several files declare and export. */
export function findFunctionsDeclaredTwice(files: readonly SourceFile[]): string[] {
  const homes = new Map<string, string[]>();
  for (const { path, program } of files) {
    for (const statement of (program["body"] as SyntaxNode[]).filter(isExport)) {
      const { declaration } = statement;
      if (!isSyntaxNode(declaration) || declaration.type !== "FunctionDeclaration") continue;
      const name = identifierName(declaration["id"]) ?? "";
      homes.set(name, [...(homes.get(name) ?? []), path]);
    }
  }
  return [...homes]
    .filter(([, paths]) => new Set(paths).size > 1)
    .map(([name, paths]) => `${name}: ${paths.join(", ")}`);
}

interface ExportedName {
  readonly name: string;
  readonly line: number;
  readonly isTypeDeclaration: boolean;
}

const TYPE_DECLARATIONS = [
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
  "TSEnumDeclaration",
  "ClassDeclaration",
];

function exportsOf(file: SourceFile): ExportedName[] {
  return (file.program["body"] as SyntaxNode[]).filter(isExport).flatMap((statement) => {
    const line = lineOf(file.text, statement);
    const declaration = isSyntaxNode(statement["declaration"]) ? statement["declaration"] : undefined;
    const isTypeDeclaration = TYPE_DECLARATIONS.includes(declaration?.type ?? "");
    const specifiers = (statement["specifiers"] ?? []) as SyntaxNode[];
    const names = [
      ...declaredNames(declaration),
      ...specifiers.map(({ exported }) => identifierName(exported)),
    ];
    return names.filter((name) => name !== undefined).map((name) => ({ name, line, isTypeDeclaration }));
  });
}

function isExport({ type }: SyntaxNode): boolean {
  return type === "ExportNamedDeclaration" || type === "ExportDefaultDeclaration";
}

function declaredNames(declaration: SyntaxNode | undefined): (string | undefined)[] {
  if (declaration?.type === "VariableDeclaration") {
    return (declaration["declarations"] as SyntaxNode[]).map(({ id }) => identifierName(id));
  }
  return [identifierName(declaration?.["id"])];
}

function isComponentFile(file: SourceFile): boolean {
  return (
    /(?:^|\/)[A-Z][A-Za-z0-9]*\.tsx$/.test(file.path) &&
    exportsOf(file).some(({ name }) => name === baseName(file.path))
  );
}

function baseName(path: string): string {
  return posix.basename(path).split(".")[0] ?? "";
}

function isKebabCase(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}

function bannedWordsIn(name: string): string[] {
  const pascal = name
    .split(/[-_]/)
    .map((part) => (/^[A-Z0-9]+$/.test(part) && name.includes("_") ? part.toLowerCase() : part))
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");
  // A word ends where the next one begins: "Impl" is not in "Implicit".
  return BANNED_WORDS.filter((word) => new RegExp(`${word}(?![a-z0-9])`).test(pascal));
}
