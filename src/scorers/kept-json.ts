import { refuseDepth } from "../store/index.js";

/** A value as JSON text for people and for a later process; null when there is none that a row can hold. */
export function keptJson(value: unknown): string | null {
  try {
    const json = JSON.stringify(value, (_name, member: unknown) =>
      typeof member === "bigint" ? String(member) : member,
    );
    if (json === undefined) return null;
    refuseDepth(json);
    return json;
  } catch {
    // It contains itself, or nests too deep: what the task has written stays as it is.
    return null;
  }
}
