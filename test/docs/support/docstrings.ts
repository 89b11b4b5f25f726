import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-5";
import { stateOfFiles } from "../../support/state-of-files.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A name or a member as an editor explains it. */
export interface Documented {
  name: string;
  /** `src/model/run.ts:52` */
  place: string;
  text: string;
  tags: { name: string; text: string }[];
}

/** A name that an entry of the package exports. */
export interface PublicDeclaration extends Documented {
  /** The imports that offer it, the root first: `treadle`, `treadle/agents`. */
  entries: string[];
  kind: "class" | "component" | "function" | "constant" | "type";
  /** Of a type or a class its own, of a component its props; what other packages declare is left out. */
  members: Documented[];
}

/** The imports of package.json with the sources behind them. */
function entries(): { name: string; source: string }[] {
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
    exports: Record<string, string | { types: string }>;
  };
  return Object.entries(exports).flatMap(([subpath, entry]) =>
    typeof entry === "string"
      ? []
      : [
          {
            name: `treadle${subpath.slice(1)}`,
            source: `${ROOT}${entry.types.replace("./dist/", "").replace(/\.d\.ts$/, ".ts")}`,
          },
        ],
  );
}

let known: PublicDeclaration[] | undefined;

/** All that the package exports, each name once, with the docstrings that the compiler finds; read once for all processes. */
export function publicDeclarations(): readonly PublicDeclaration[] {
  known ??= keptDeclarations();
  return known;
}

/** Reading takes the compiler ten seconds: what it has read lies in a file until a source changes. */
function keptDeclarations(): PublicDeclaration[] {
  const state = stateOfFiles(ROOT, ["src", "jsx-runtime", "package.json", "tsconfig.json"]);
  const reader = stateOfFiles(ROOT, ["test/docs/support"]);
  const path = `${ROOT}node_modules/.cache/declarations/${state}-${reader}.json`;
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as PublicDeclaration[];
  const declarations = readDeclarations();
  mkdirSync(dirname(path), { recursive: true });
  // Under another name first: another process may look for it.
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(declarations));
  renameSync(`${path}.${process.pid}`, path);
  return declarations;
}

function readDeclarations(): PublicDeclaration[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(
    entries().map(({ source }) => source),
    options,
  );
  const checker = program.getTypeChecker();
  const found = new Map<ts.Symbol, PublicDeclaration>();
  for (const { name, source } of entries()) {
    for (const symbol of exportsOf(program, source)) {
      if (!isOurs(symbol)) continue;
      const known = found.get(symbol);
      if (known !== undefined) {
        known.entries.push(name);
        continue;
      }
      const members = propertiesOf(checker, symbol).map((member) => documented(checker, member));
      found.set(symbol, {
        ...documented(checker, symbol),
        entries: [name],
        kind: kindOf(checker, symbol),
        members,
      });
    }
  }
  return [...found.values()];
}

function exportsOf(program: ts.Program, entry: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entry} exports nothing.`);
  return checker
    .getExportsOfModule(module)
    .map((name) => (name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name));
}

/** Of a union the properties that any of its types has. */
function propertiesOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol[] {
  const type = shapeOf(checker, symbol);
  if (type === undefined) return [];
  const properties = (type.isUnion() ? type.types : [type])
    .filter((one) => one.isIntersection() || one.flags & ts.TypeFlags.Object)
    .flatMap((one) => one.getProperties());
  return [...new Map(properties.map((one) => [one.declarations?.[0], one])).values()].filter(
    (one) => isOurs(one) && !isPrivate(one) && !isRefused(one),
  );
}

function kindOf(checker: ts.TypeChecker, symbol: ts.Symbol): PublicDeclaration["kind"] {
  if (symbol.flags & ts.SymbolFlags.Class) return "class";
  if (!(symbol.flags & ts.SymbolFlags.Value)) return "type";
  const isCallable = checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0;
  if (!isCallable) return "constant";
  return /^[A-Z]/.test(symbol.name) ? "component" : "function";
}

function shapeOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Type | undefined {
  if (symbol.flags & ts.SymbolFlags.Type) return checker.getDeclaredTypeOfSymbol(symbol);
  if (!/^[A-Z]/.test(symbol.name)) return undefined;
  const props = checker.getTypeOfSymbol(symbol).getCallSignatures()[0]?.getParameters()[0];
  return props && checker.getTypeOfSymbol(props);
}

function isOurs({ declarations = [] }: ts.Symbol): boolean {
  const { fileName = "" } = declarations[0]?.getSourceFile() ?? {};
  return fileName.startsWith(ROOT) && !fileName.includes("/node_modules/");
}

function isPrivate({ declarations = [] }: ts.Symbol): boolean {
  const [declaration] = declarations;
  if (declaration === undefined) return false;
  const { Private, Protected } = ts.ModifierFlags;
  return (ts.getCombinedModifierFlags(declaration) & (Private | Protected)) !== 0;
}

/** Declared so that nothing can be given: what there is to say stands where it can. */
function isRefused({ declarations = [] }: ts.Symbol): boolean {
  const [declaration] = declarations;
  if (declaration === undefined || !ts.isPropertySignature(declaration)) return false;
  return declaration.type?.kind === ts.SyntaxKind.UndefinedKeyword;
}

function documented(checker: ts.TypeChecker, symbol: ts.Symbol): Documented {
  const tags = symbol.getJsDocTags(checker);
  return {
    name: symbol.name,
    place: placeOf(symbol),
    text: ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim(),
    tags: tags.map(({ name, text }) => ({ name, text: ts.displayPartsToString(text).trim() })),
  };
}

function placeOf({ declarations = [] }: ts.Symbol): string {
  const [declaration] = declarations;
  if (declaration === undefined) return "nowhere";
  const file = declaration.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(declaration.getStart());
  return `${file.fileName.slice(ROOT.length)}:${line + 1}`;
}
