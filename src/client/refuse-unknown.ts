import { nearest } from "../util/nearest.js";
import { ClientError } from "./client-error.js";

/**
 * Refuses a misspelt option: without it, another gateway or another time would be meant.
 * @throws INVALID_INPUT naming the option and the one with the nearest name
 */
export function refuseUnknown(of: string, options: object, known: Readonly<Record<string, true>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const meant = nearest(name, Object.keys(known));
    const hint = meant === undefined ? `It has ${Object.keys(known).join(", ")}.` : `Did you mean ${meant}?`;
    throw new ClientError({ code: "INVALID_INPUT", message: `${of} has no option ${name}. ${hint}` });
  }
}
