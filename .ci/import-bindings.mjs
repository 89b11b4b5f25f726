/** Declarations of the names that an import statement brings, of the module `value` with the default `main`. */
export function bindingsOf(statement, value, main) {
  const clause = statement.match(/^import\s+([\s\S]*?)\s+from\s/)?.[1];
  if (clause === undefined) return "";
  const named = clause.match(/\{([\s\S]*)\}/)?.[1];
  const all = clause.match(/\*\s+as\s+([\w$]+)/)?.[1];
  const whole = clause.match(/^([\w$]+)/)?.[1];
  return [
    whole && `const ${whole} = ${main};`,
    all && `const ${all} = ${value};`,
    named && `const { ${named.replaceAll(/\s+/g, " ").replaceAll(" as ", ": ").trim()} } = ${value};`,
  ]
    .filter(Boolean)
    .join(" ");
}
