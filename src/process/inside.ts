import { isAbsolute, relative, sep } from "node:path";

/** Whether a path lies below a folder; both absolute and without links. */
export function isInside(path: string, root: string): boolean {
  const inside = relative(root, path);
  return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
