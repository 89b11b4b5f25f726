import type { ErrorFamily } from "../code-entry.js";

export const agentCodes = {} as const satisfies ErrorFamily;
