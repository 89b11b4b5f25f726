import {
  identifierName,
  isSyntaxNode,
  lineOf,
  nodesOf,
  type SourceFile,
  type SyntaxNode,
} from "./source-file.js";

export function findLongFiles(files: readonly SourceFile[], longest: number): string[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > longest)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** `throw new Error(…)` and its built-in relatives. */
export function findBuiltInThrows(files: readonly SourceFile[]): string[] {
  return findNodes(files, "ThrowStatement", (node) => {
    const thrown = node["argument"];
    const name =
      isSyntaxNode(thrown) && thrown.type === "NewExpression" ? identifierName(thrown["callee"]) : "";
    return /^(?:Error|(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)Error)$/.test(name ?? "")
      ? `throws ${name}`
      : undefined;
  });
}

/** Reads of the clock, of chance, or of the process. */
export function findImpureReads(files: readonly SourceFile[]): string[] {
  const timers = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask"]);
  const sources: Readonly<Record<string, RegExp>> = {
    Date: /^now$/,
    Math: /^random$/,
    performance: /^now$/,
    crypto: /^random|^getRandom/,
    process: /./,
  };
  return [
    ...findNodes(files, "MemberExpression", (node) => {
      const object = identifierName(node["object"]) ?? "";
      const property = identifierName(node["property"]) ?? "";
      return Object.hasOwn(sources, object) && sources[object]?.test(property)
        ? `reads ${object}.${property}`
        : undefined;
    }),
    ...findNodes(files, "NewExpression", (node) =>
      identifierName(node["callee"]) === "Date" && (node["arguments"] as unknown[]).length === 0
        ? "reads new Date()"
        : undefined,
    ),
    ...findNodes(files, "CallExpression", (node) => {
      const callee = identifierName(node["callee"]) ?? "";
      return timers.has(callee) ? `calls ${callee}` : undefined;
    }),
  ];
}

export function findAsyncCode(files: readonly SourceFile[]): string[] {
  return [
    ...["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].flatMap((type) =>
      findNodes(files, type, (node) => (node["async"] === true ? "has an async function" : undefined)),
    ),
    ...findNodes(files, "AwaitExpression", () => "awaits"),
  ];
}

/** `let` and `var` that outlive a call: mutable state of the module. */
export function findTopLevelVariables(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    (file.program["body"] as SyntaxNode[]).flatMap((statement) => {
      const node = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
      if (!isSyntaxNode(node) || node.type !== "VariableDeclaration") return [];
      if (node["kind"] === "const" || node["declare"] === true) return [];
      return [`${file.path}:${lineOf(file.text, node)} declares a top-level ${String(node["kind"])}`];
    }),
  );
}

/** Schemas that are built as soon as their module is loaded. */
export function findSchemasAtLoad(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    (file.program["body"] as SyntaxNode[]).flatMap((statement) => {
      const node = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement;
      if (!isSyntaxNode(node) || node.type !== "VariableDeclaration") return [];
      return /=\s*\{?[^=>]*\bz\s*\.\s*\w+\(/.test(
        file.text.slice(node.start, node.end).split("=>", 1)[0] ?? "",
      )
        ? [`${file.path}:${lineOf(file.text, node)} builds a schema when it is loaded`]
        : [];
    }),
  );
}

export function findConsoleUses(files: readonly SourceFile[]): string[] {
  return findNodes(files, "MemberExpression", (node) =>
    identifierName(node["object"]) === "console" ? "uses the console" : undefined,
  );
}

/** Calls that draw values which cannot be drawn again: by chance, or by fast-check without a seed of ours. */
export function findUnseededChance(files: readonly SourceFile[]): string[] {
  return [
    ...findNodes(files, "MemberExpression", (node) =>
      identifierName(node["object"]) === "Math" && identifierName(node["property"]) === "random"
        ? "draws by Math.random"
        : undefined,
    ),
    ...findNodes(files, "ImportDeclaration", (node) =>
      (node["source"] as { value?: unknown }).value === "fast-check" ? "imports fast-check" : undefined,
    ),
  ];
}

/** Files that make temporary folders and remove none. */
export function findLeftFolders(files: readonly SourceFile[]): string[] {
  const makes = findNodes(files, "CallExpression", (node) =>
    /^mkdtemp/.test(identifierName(node["callee"]) ?? "") ? "makes a folder" : undefined,
  );
  const removing = files.filter(({ text }) => /\brm(?:Sync)?\(/.test(text)).map(({ path }) => `${path}:`);
  return makes.filter((offender) => !removing.some((path) => offender.startsWith(path)));
}

/** Text with the marks of addresses in it: `${nodeId}::${iteration}`, `@@<loop>`, `build #2`. */
export function findHandmadeAddresses(files: readonly SourceFile[]): string[] {
  const made = /\}::\$\{|["'`/]@@[^ ]|\}@@| #\$\{/;
  return files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) => (made.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}

/** Exported functions that take more positional parameters than a reader can tell apart. */
export function findLongParameterLists(files: readonly SourceFile[], longest: number): string[] {
  return findNodes(files, "ExportNamedDeclaration", (node) => {
    const declaration = node["declaration"];
    if (!isSyntaxNode(declaration)) return undefined;
    const functions =
      declaration.type === "VariableDeclaration"
        ? (declaration["declarations"] as SyntaxNode[]).map((declarator) => declarator["init"])
        : [declaration];
    const counts = functions
      .filter(isSyntaxNode)
      .map((candidate) => (candidate["params"] as unknown[])?.length);
    const count = Math.max(0, ...counts.filter((length) => length !== undefined));
    return count > longest ? `exports a function of ${count} parameters` : undefined;
  });
}

/** Codes in `new ServiceError("CODE", …)`, also when chosen by a condition, that no table documents. */
export function findUndocumentedCodes(
  files: readonly SourceFile[],
  isDocumented: (code: string) => boolean,
): string[] {
  return findNodes(files, "NewExpression", (node) => {
    const code = (node["arguments"] as unknown[])[0];
    if (identifierName(node["callee"]) !== "ServiceError" || !isSyntaxNode(code)) return undefined;
    const unknown = possibleTexts(code).filter((text) => !isDocumented(text));
    return unknown.length === 0 ? undefined : `throws ${unknown.join(", ")}`;
  });
}

export function findPostponedWork(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const marker = /\b(?:TODO|FIXME)\b/.exec(line)?.[0];
      return marker === undefined ? [] : [`${path}:${index + 1} postpones work with ${marker}`];
    }),
  );
}

/** The texts that `"A"`, `condition ? "A" : "B"` and `value ?? "B"` may come to. */
function possibleTexts(expression: SyntaxNode): string[] {
  const parts = [expression["consequent"], expression["alternate"], expression["left"], expression["right"]];
  if (expression.type === "Literal")
    return typeof expression["value"] === "string" ? [expression["value"]] : [];
  if (expression.type !== "ConditionalExpression" && expression.type !== "LogicalExpression") return [];
  return parts.filter(isSyntaxNode).flatMap(possibleTexts);
}

/** One offender for each node of a type that `complaint` has something to say about. */
function findNodes(
  files: readonly SourceFile[],
  type: string,
  complaint: (node: SyntaxNode) => string | undefined,
): string[] {
  return files.flatMap((file) =>
    nodesOf(file.program, type).flatMap((node) => {
      const text = complaint(node);
      return text === undefined ? [] : [`${file.path}:${lineOf(file.text, node)} ${text}`];
    }),
  );
}

/** Lines that leave open which process, person or part of the code they mean, in comments and in messages. */
export function findVagueWords(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const [word] = /\b(?:nobody|somebody|whoever|anybody)\b/i.exec(line) ?? [];
      return word === undefined ? [] : [`${path}:${index + 1} says ${word}`];
    }),
  );
}
