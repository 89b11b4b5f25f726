/** The document with nothing but what the paths lead to. A path goes through every element of a list. */
export function filterDocument(document: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.some((path) => path.length === 0)) return document;
  if (Array.isArray(document)) return document.map((element) => filterDocument(element, paths));
  if (!isObject(document)) return document;
  const kept = Object.entries(document).flatMap(([name, value]) => {
    const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    return below.length === 0 ? [] : [[name, filterDocument(value, below)] as const];
  });
  return Object.fromEntries(kept);
}

export interface MissingPath {
  path: string;
  /** The names that there are instead. */
  names: string[];
}

/** Paths that lead nowhere in the document. Nothing is missing in an empty list. */
export function missingPaths(document: unknown, paths: readonly (readonly string[])[]): MissingPath[] {
  return paths.flatMap((path) => {
    let level: unknown[] = [document];
    for (const [index, name] of path.entries()) {
      level = level.flatMap((value) => (Array.isArray(value) ? (value as unknown[]).flat(8) : [value]));
      if (level.length === 0) return [];
      const objects = level.filter(isObject);
      level = objects.flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : []));
      if (level.length > 0) continue;
      const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
      return [{ path: path.slice(0, index + 1).join("."), names }];
    }
    return [];
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
