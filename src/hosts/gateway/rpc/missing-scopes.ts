import { type Caller, missingScope } from "../caller.js";
import type { Extensions } from "../extensions.js";
import { STREAMS } from "../socket/streams.js";
import { METHODS } from "./methods.js";

/** Of the methods and streams that the caller may not use: the first scope that is missing, by their names. */
export function missingScopes(caller: Caller, { methods, streams }: Extensions): Record<string, string> {
  const all = [...Object.entries(METHODS), ...Object.entries(STREAMS), ...methods, ...streams];
  return Object.fromEntries(
    all.flatMap(([name, { scope }]) => {
      const missing = missingScope(caller, scope);
      return missing === undefined ? [] : [[name, missing]];
    }),
  );
}
