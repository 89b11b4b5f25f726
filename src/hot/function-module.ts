/** The parameters of `run`, in this order. */
export interface ModuleImport {
  url: string;
  /** Names that must be there. */
  names: string[];
  /** It is imported with the type `json`. */
  isJson: boolean;
}

const EXPORTS = /\nexport \{([^}"'`]*)\};(\s*(?:\/\/# sourceMappingURL=\S*\s*)?)$/;

/**
 * Turns a bundle into a function. A module that was imported stays in memory
 * until the process ends, with everything it has made; what a function has made is
 * free once no code uses it. Undefined for code that only a module may hold.
 *
 * The result is CommonJS that exports the function as `run` and what it is to be given as `imports`. Lines stay
 * where they were, and functions have the same text. They hold its module: Node forgets with that where their source is.
 *
 * @param mark what the compiler has put in front of everything that is imported from outside
 */
export function toFunctionModule(bundle: string, mark: string): string | undefined {
  const imports: ModuleImport[] = [];
  const bindings: string[] = [];
  const statement = new RegExp(
    `^(?:import|export)\\s+(?:([^"';]+?)\\s+from\\s+)?"${mark}([^"\\n]+)"(?: with (\\{\\s*type: "json"\\s*\\}))?;`,
    "gm",
  );
  const body = bundle.replace(
    statement,
    (all: string, clause: string | undefined, url: string, extra?: string) => {
      const at = imports.length;
      const { pattern, names } = readClause(all.startsWith("export") ? undefined : clause, at);
      if (pattern !== "") bindings.push(pattern);
      imports.push({ url, names, isJson: extra !== undefined });
      return "\n".repeat(all.split("\n").length - 1);
    },
  );
  const found = EXPORTS.exec(body);
  // The remaining text would need a module: a place of its own, an import of a form that is not known here.
  if (found === null || /\bimport\.meta\b/.test(body) || body.includes(`from "${mark}`)) return undefined;
  const [all, list = "", end = ""] = found;
  const head = `module.exports = { imports: ${JSON.stringify(imports)}, run: ((__loaded, module, exports) => async function (__imported) { "use strict"; void __loaded; ${bindings.join(" ")} `;
  const lines = "\n".repeat(all.slice(0, all.length - end.length).split("\n").length - 1);
  const result = `return { ${exportedMembers(list)} }; })(module) };`;
  return `${head}${body.slice(0, -all.length)}${lines}${result}${end}`.replaceAll(mark, "");
}

/** `def, { a, b as c }` or `* as ns`, of the import with this number. */
function readClause(clause: string | undefined, at: number): { pattern: string; names: string[] } {
  const from = `__imported[${at}]`;
  if (clause === undefined) return { pattern: "", names: [] };
  const names: string[] = [];
  const declared: string[] = [];
  const [, all] = /\*\s+as\s+(\S+)/.exec(clause) ?? [];
  const [, braces = ""] = /\{([^}]*)\}/.exec(clause) ?? [];
  const [, alone] = /^([^\s{},*]+)/.exec(clause) ?? [];
  if (alone !== undefined) {
    names.push("default");
    declared.push(`default: ${alone}`);
  }
  for (const part of braces.split(",")) {
    const [name, as, local] = part.trim().split(/\s+/);
    if (name === undefined || name === "") continue;
    names.push(name);
    declared.push(as === "as" && local !== undefined ? `${name}: ${local}` : name);
  }
  const pattern = [
    ...(declared.length > 0 ? [`const { ${declared.join(", ")} } = ${from};`] : []),
    ...(all === undefined ? [] : [`const ${all} = ${from};`]),
  ].join(" ");
  return { pattern, names };
}

/** `flow_default as default, other` */
function exportedMembers(list: string): string {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [local, as, name] = part.split(/\s+/);
      return as === "as" ? `${JSON.stringify(name)}: ${local}` : part;
    })
    .join(", ");
}
