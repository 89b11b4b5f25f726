import type { ErrorFamily } from "../code-entry.js";

export const storeCodes = {} as const satisfies ErrorFamily;
