import { type ControlToken, controlId } from "../../model/render-runtime.js";
import type { Site } from "../element-rule.js";
import { readOptionalId } from "../props.js";

/**
 * Gives an element with a state its address, and tells its component the id.
 *
 * @param prefix of the default id
 * @returns the id without loop iterations
 */
export function setControlAddress({ element, scope, facts }: Site, prefix: string): string {
  const id = readOptionalId(element) ?? `${prefix}:${element.path}`;
  facts.address = controlId(id, scope.loops);
  const token = element.props["token"] as ControlToken | undefined;
  if (token !== undefined) token.id = id;
  return id;
}
