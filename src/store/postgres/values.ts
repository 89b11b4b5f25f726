import type { SqlValue } from "../sql-port.js";
import { textOfStored } from "./stored-text.js";

type Read = (text: string) => SqlValue;

/** Types of the system catalogue, by their numbers, which never change. */
const BOOLEAN = 16;
export const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 26, 700, 701, 1700]);
/** Read as text: booleans, names and texts, and types of unknown parameters. */
export const TEXTS: readonly number[] = [BOOLEAN, 19, 25, 705, 1043];

/** How the text that the server sends for a value of this type becomes one of the store's. */
export function reader(type: number): Read {
  if (NUMBERS.has(type)) return Number;
  if (type === BOOLEAN) return (text) => (text === "t" || text === "true" ? 1 : 0);
  return textOfStored;
}
