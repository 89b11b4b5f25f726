import * as rules from "../../options/option-rules.js";

/** An `Origin` as browsers send it: no path, and no `null`, which any sandboxed frame sends. */
export const originList = rules.checked<string[]>(
  'a list of origins such as "https://app.example.com"',
  (value) => Array.isArray(value) && value.every(isOrigin),
);

function isOrigin(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && new URL(value).origin === value;
}
