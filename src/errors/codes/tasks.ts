import type { ErrorFamily } from "../code-entry.js";

export const taskCodes = {} as const satisfies ErrorFamily;
