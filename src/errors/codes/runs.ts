import type { ErrorFamily } from "../code-entry.js";

export const runCodes = {} as const satisfies ErrorFamily;
