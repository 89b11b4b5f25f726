/**
 * Scopes of ids: an inline subflow writes its ids as its author did as long as they are free, and else with a prefix
 * of its own, `<path>/`. Which of both is decided when the run first mounts it, and kept with the run.
 */
export interface IdScope {
  /** Ids of the inline subflows around a place, outermost first, `/` between them; empty outside of all. */
  readonly path: string;
  /** Before every id in here. */
  readonly prefix: string;
}

/** Outside of every inline subflow. */
export const RUN_SCOPE: IdScope = { path: "", prefix: "" };

export function pathInside({ path }: IdScope, id: string): string {
  return path === "" ? id : `${path}/${id}`;
}

/** The prefix that only ids in the subflow of this path have. */
export function ownPrefix(path: string): string {
  return `${path}/`;
}

/** The id that code in the scope means: its own, which rows name in full. */
export function idInside({ prefix }: Pick<IdScope, "prefix">, id: string): string {
  return id.startsWith(prefix) ? id : prefix + id;
}

/** Whether code in a scope sees the rows of a node: not those of subflows beside it, which have prefixes of their own. */
export function seesNode({ path, prefix }: IdScope, nodeId: string, prefixes: readonly string[]): boolean {
  if (!nodeId.startsWith(prefix)) return false;
  const nearest = longestPrefix(nodeId, prefixes);
  return nearest.length <= prefix.length || nearest.startsWith(ownPrefix(path));
}

/** The prefix of the scope that a node is in. */
export function longestPrefix(nodeId: string, prefixes: Iterable<string>): string {
  let longest = "";
  for (const each of prefixes) if (each.length > longest.length && nodeId.startsWith(each)) longest = each;
  return longest;
}
