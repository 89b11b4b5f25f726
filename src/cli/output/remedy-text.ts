import type { Remedy } from "../../model/remedy.js";
import { remedyCommand } from "../../operations/index.js";

/** Adds the command of the remedy; none where there is nothing to do. */
export function withFix<T extends { remedy: Remedy | null }>(
  item: T,
  commandText: (command: string) => string,
): T & { fix?: string } {
  if (item.remedy === null) return item;
  return { ...item, fix: commandText(remedyCommand(item.remedy)) };
}
