import { useState } from "react";
import { type IdScope, pathInside } from "../model/id-scope.js";
import { scopeId } from "../model/address.js";
import type { InlineToken } from "../model/render-runtime.js";
import type { RenderPlace } from "./render-place.js";

/** The scope of the ids in an inline subflow that is rendered here. */
export function useInlineScope(
  id: string,
  { scope, runtime }: RenderPlace,
): { token: InlineToken; scope: IdScope } {
  const path = pathInside(scope, id);
  const [known, setToken] = useState<InlineToken>(() => ({ path, prefix: undefined }));
  let token = known;
  if (token.path !== path) {
    token = { path, prefix: undefined };
    setToken(token);
  }
  const kept = runtime.control(scopeId(path));
  const prefix = kept?.kind === "inline" ? kept.prefix : (token.prefix ?? scope.prefix);
  return { token, scope: { path, prefix } };
}
