import type { MemoryFact } from "../model/memory.js";

/** A fact in one line: its key, and its value, whose JSON it is where it is no text. */
export function factText({ key, valueJson }: Pick<MemoryFact, "key" | "valueJson">): string {
  const value: unknown = JSON.parse(valueJson);
  return `${key}: ${typeof value === "string" ? value : valueJson}`;
}
