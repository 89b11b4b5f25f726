import type { ErrorFamily } from "../code-entry.js";

export const hostCodes = {} as const satisfies ErrorFamily;
