import type { ErrorFamily } from "../code-entry.js";

export const componentCodes = {} as const satisfies ErrorFamily;
