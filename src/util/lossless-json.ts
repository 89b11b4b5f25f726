import { findJsonLoss, type JsonLoss } from "./json-loss.js";

/** A value as JSON that keeps all of it, or why there is none. */
export type LosslessJson = { json: string } | { loss: JsonLoss; cause?: unknown };

export function losslessJson(value: unknown): LosslessJson {
  try {
    const loss = findJsonLoss(value);
    if (loss !== undefined) return { loss };
    const json = JSON.stringify(value);
    return json === undefined ? { loss: { path: "", what: "undefined" } } : { json };
  } catch (cause) {
    // A getter or a toJSON of the value's own failed.
    return { loss: { path: "", what: "an object that cannot be read" }, cause };
  }
}

/** A sentence that follows the one about the whole value. */
export function reportLoss({ path, what }: JsonLoss): string {
  return path === "" ? ` It is ${what}.` : ` "${path}" is ${what}.`;
}
