import type { ErrorFamily } from "../code-entry.js";

export const toolCodes = {} as const satisfies ErrorFamily;
