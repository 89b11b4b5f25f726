import { controlId } from "../model/address.js";
import { useState } from "react";
import type { ControlState } from "../model/plan.js";
import type { ControlToken } from "../model/render-runtime.js";
import type { RenderPlace } from "./render-place.js";

/** The token of a component whose element has a state, and that state as far as it is known. */
export interface Control {
  readonly token: ControlToken;
  /** Undefined until the state exists, and in the first render of an element without an `id`. */
  readonly state: ControlState | undefined;
}

export function useControl(written: string | undefined, place: RenderPlace): Control {
  const id = written === undefined ? undefined : place.scope.prefix + written;
  const [token, setToken] = useState<ControlToken>(() => ({ given: id, id }));
  if (token.given !== id) {
    // Named, renamed or unnamed: what was learnt about the place belongs to the former name.
    const renamed = { given: id, id };
    setToken(renamed);
    return controlOf(renamed, place);
  }
  return controlOf(token, place);
}

function controlOf(token: ControlToken, { runtime, loops }: RenderPlace): Control {
  return { token, state: token.id === undefined ? undefined : runtime.control(controlId(token.id, loops)) };
}
