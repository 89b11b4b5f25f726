import { createContext, useContext } from "react";

/** Key of the workflow whose page this is; null where it is of the whole gateway. */
export const ScopeContext = createContext<string | null>(null);

/** The filter that every list of the page begins with. */
export function useScope(): { workflow?: string } {
  const key = useContext(ScopeContext);
  return key === null ? {} : { workflow: key };
}
