import { type ControlId, controlId } from "../../model/address.js";
import type { ControlToken } from "../../model/render-runtime.js";
import { defaultId } from "../../model/place.js";
import type { Site } from "../element-rule.js";
import type { ControlKind } from "../former-ids.js";
import { groupId } from "./arrangement.js";

/**
 * Gives an element with a state its address, and tells its component the id.
 *
 * @param kind begins the default id
 * @returns the id without loop iterations, and with them
 */
export function setControlAddress(
  { element, around, facts, extraction }: Site,
  kind: ControlKind,
): { id: string; controlId: ControlId } {
  const id =
    groupId(element, around) ?? extraction.formerIds.of(kind, element.path) ?? defaultId(kind, element.path);
  const address = controlId(id, around.loops);
  facts.address = address;
  const token = element.props["token"] as ControlToken | undefined;
  if (token !== undefined) token.id = id;
  return { id, controlId: address };
}
