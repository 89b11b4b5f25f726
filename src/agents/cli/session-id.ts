/**
 * Whether a conversation's id may become an argument of a command. Ids come from what a tool prints
 * and from stored rows: one that begins with a dash would be an option, one with a slash a path.
 */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/.test(id) && !id.includes("..");
}
