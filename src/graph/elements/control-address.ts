import { type ControlId, controlId } from "../../model/address.js";
import type { ControlToken } from "../../model/render-runtime.js";
import type { Site } from "../element-rule.js";
import { readOptionalId } from "../props.js";

/**
 * Gives an element with a state its address, and tells its component the id.
 *
 * @param prefix of the default id
 * @returns the id without loop iterations, and with them
 */
export function setControlAddress(
  { element, around, facts }: Site,
  prefix: string,
): { id: string; controlId: ControlId } {
  const id = readOptionalId(element) ?? `${prefix}:${element.path}`;
  const address = controlId(id, around.loops);
  facts.address = address;
  const token = element.props["token"] as ControlToken | undefined;
  if (token !== undefined) token.id = id;
  return { id, controlId: address };
}
