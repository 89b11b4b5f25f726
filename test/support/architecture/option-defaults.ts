import { isDeepStrictEqual } from "node:util";
import {
  identifierName,
  isSyntaxNode,
  lineOf,
  nodesOf,
  type SourceFile,
  type SyntaxNode,
} from "./source-file.js";

/** What a rule says that is no literal. */
const COMPUTED = Symbol("computed");

const TABLES = /^(?:OptionRules|PropRules)$/;

/**
 * Options whose docstring (`@default`) and whose rule (`withDefault`) differ about what they are where nothing
 * is given. A docstring may say in words what no rule can: "a random id".
 */
export function findDifferingDefaults(files: readonly SourceFile[]): string[] {
  const names = topLevelNames(files);
  return files
    .filter(({ text }) => /\bsatisfies\b/.test(text))
    .flatMap((file) =>
      nodesOf(file.program, "TSSatisfiesExpression").flatMap((node) => differencesIn(file, node, names)),
    );
}

function differencesIn(file: SourceFile, node: SyntaxNode, names: Names): string[] {
  const types = optionsOfTable(node["typeAnnotation"]);
  const type = types.at(-1) ?? "";
  const documented = new Map(types.flatMap((name) => [...documentedDefaults(name, names)]));
  const scope = { ...names, constants: [constantsOf(file), ...names.constants] };
  if (types.length === 0) return [];
  return propertiesOf(node["expression"]).flatMap(([name, rule]) => {
    const stated = statedDefault(rule, scope);
    const text = documented.get(name);
    const isToldInWords = stated === COMPUTED && text !== undefined;
    if (isToldInWords || isDeepStrictEqual(stated, text === undefined ? undefined : literalIn(text)))
      return [];
    const said = stated === COMPUTED ? "a value" : JSON.stringify(stated);
    const ofRule = stated === undefined ? "its rule has none" : `its rule says ${said}`;
    return [
      `${file.path}:${lineOf(file.text, rule)} ${type}.${name}: @default ${text ?? "is missing"}, and ${ofRule}`,
    ];
  });
}

/** What the docstrings of a type's members state as literals, by the member. */
export function statedDefaults(type: string, files: readonly SourceFile[]): Map<string, unknown> {
  const documented = [...documentedDefaults(type, topLevelNames(files))];
  return new Map(
    documented.flatMap(([name, text]) => {
      const literal = text === undefined ? undefined : literalIn(text);
      return literal === undefined ? [] : [[name, literal] as const];
    }),
  );
}

/** Types and constants of the modules by their names. */
interface Names {
  readonly types: ReadonlyMap<string, { file: SourceFile; node: SyntaxNode }>;
  /** Those of a module, then those of all: a name that two modules use belongs to none. */
  readonly constants: readonly ReadonlyMap<string, SyntaxNode | undefined>[];
}

function topLevelNames(files: readonly SourceFile[]): Names {
  const types = new Map<string, { file: SourceFile; node: SyntaxNode }>();
  const all = new Map<string, SyntaxNode | undefined>();
  for (const file of files) {
    for (const [name, value] of constantsOf(file)) all.set(name, all.has(name) ? undefined : value);
    for (const node of declarationsOf(file)) {
      if (node.type === "TSInterfaceDeclaration") types.set(identifierName(node["id"]) ?? "", { file, node });
    }
  }
  return { types, constants: [all] };
}

function declarationsOf({ program }: SourceFile): SyntaxNode[] {
  return (program["body"] as SyntaxNode[]).map((node) => (node["declaration"] ?? node) as SyntaxNode);
}

function constantsOf(file: SourceFile): Map<string, SyntaxNode> {
  const variables = declarationsOf(file).filter(({ type }) => type === "VariableDeclaration");
  const declared = variables.flatMap((node) => node["declarations"] as { id: unknown; init: SyntaxNode }[]);
  return new Map(declared.map(({ id, init }) => [identifierName(id) ?? "", init]));
}

function constant(name: string, { constants }: Names): SyntaxNode | undefined {
  return constants.map((known) => known.get(name)).find((value) => value !== undefined);
}

/** `Options` of `OptionRules<Options>`, with what is around it in the brackets. */
function optionsOfTable(type: unknown): string[] {
  if (!isSyntaxNode(type) || type.type !== "TSTypeReference") return [];
  const { typeName } = type as SyntaxNode & { typeName: SyntaxNode };
  const name = identifierName(typeName) ?? identifierName(typeName["right"]) ?? "";
  return TABLES.test(name) ? namesIn(type["typeArguments"]) : [];
}

/** The names of the types that a type is made of: `A`, `Omit<A, "b">`. */
function namesIn(type: unknown): string[] {
  if (!isSyntaxNode(type)) return [];
  return nodesOf(type, "TSTypeReference").flatMap((node) => identifierName(node["typeName"]) ?? []);
}

/** What the docstrings of a type's members say after `@default`, with those of the types that it extends. */
function documentedDefaults(type: string, names: Names): Map<string, string | undefined> {
  const found = names.types.get(type);
  if (found === undefined) return new Map();
  const { file, node } = found;
  const above = (node["extends"] as SyntaxNode[]).flatMap((parent) => [
    identifierName(parent["expression"]) ?? "",
    ...namesIn(parent["typeArguments"]),
  ]);
  const members = (node["body"] as SyntaxNode)["body"] as SyntaxNode[];
  return new Map([
    ...above.flatMap((parent) => [...documentedDefaults(parent, names)]),
    ...members.map((member) => {
      return [identifierName(member["key"]) ?? "", documentedDefault(file.text, member)] as const;
    }),
  ]);
}

function documentedDefault(text: string, member: SyntaxNode): string | undefined {
  const before = text.slice(0, member.start);
  if (!/\*\/\s*$/.test(before)) return undefined;
  const comment = before.slice(before.lastIndexOf("/**")).replaceAll(/\s*\n\s*\*(?!\/)\s?/g, " ");
  return /@default (.*?)\s*\*\//.exec(comment)?.[1];
}

function propertiesOf(table: unknown): [name: string, value: SyntaxNode][] {
  const properties = isSyntaxNode(table) ? (table["properties"] as SyntaxNode[] | undefined) : undefined;
  return (properties ?? []).flatMap((property) => {
    const name = identifierName(property["key"]);
    return name === undefined ? [] : [[name, property["value"] as SyntaxNode]];
  });
}

/** The second argument of `withDefault`. */
function statedDefault(rule: SyntaxNode, names: Names): unknown {
  if (rule.type !== "CallExpression") return undefined;
  const callee = rule["callee"] as SyntaxNode;
  const name = identifierName(callee) ?? identifierName(callee["property"]);
  const [, value] = rule["arguments"] as SyntaxNode[];
  return name === "withDefault" && value !== undefined ? literalValue(value, names) : undefined;
}

function literalValue(node: SyntaxNode | undefined, names: Names): unknown {
  switch (node?.type) {
    case "Literal":
      return node["value"];
    case "UnaryExpression":
      return node["operator"] === "-"
        ? -Number(literalValue(node["argument"] as SyntaxNode, names))
        : COMPUTED;
    case "ArrayExpression":
      return (node["elements"] as SyntaxNode[]).map((element) => literalValue(element, names));
    case "ObjectExpression":
      return (node["properties"] as SyntaxNode[]).length === 0 ? {} : COMPUTED;
    case "Identifier":
      return literalValue(constant(String(node["name"]), names), names);
    case "MemberExpression":
      return memberOf(node, names);
    default:
      return COMPUTED;
  }
}

/** `RUN_DEFAULTS.maxConcurrency`, `Number.POSITIVE_INFINITY` */
function memberOf(node: SyntaxNode, names: Names): unknown {
  const name = identifierName(node["property"]);
  if (name === "POSITIVE_INFINITY") return Number.POSITIVE_INFINITY;
  const object = bare(constant(identifierName(node["object"]) ?? "", names));
  return literalValue(propertiesOf(object).find(([key]) => key === name)?.[1], names);
}

/** Without `as const` and `satisfies`. */
function bare(node: SyntaxNode | undefined): SyntaxNode | undefined {
  const isWrapped = node?.type === "TSAsExpression" || node?.type === "TSSatisfiesExpression";
  return isWrapped ? bare(node["expression"] as SyntaxNode) : node;
}

/** The value that a docstring begins with; undefined where it says it in words. */
function literalIn(text: string): unknown {
  const found = /^`?(-?\d[\d.]*|true|false|null|Infinity|"[^"]*"|\[[^\]]*\]|\{\})(?![\w.-])/.exec(text)?.[1];
  if (found === "Infinity") return Number.POSITIVE_INFINITY;
  return found === undefined ? undefined : (JSON.parse(found) as unknown);
}
