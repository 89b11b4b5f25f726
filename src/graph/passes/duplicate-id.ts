import { type Composite, compositeAround, compositeName } from "../../model/composite.js";
import { elementName } from "../../model/element-name.js";
import type { HostElement } from "../../model/host-node.js";
import { frameError } from "../frame-error.js";

/** Two elements have one id. Parts of composites are told under the names that their author wrote. */
export function duplicateId(element: HostElement, owner: HostElement) {
  const problem = `has the id of another element: ${elementName(owner)}.`;
  return frameError(
    "DUPLICATE_ID",
    element,
    problem + remedyOf(compositeAround(element), compositeAround(owner)),
  );
}

/** Which prop to set. */
function remedyOf(mine: Composite | undefined, theirs: Composite | undefined): string {
  if (mine !== undefined && theirs !== undefined && mine !== theirs) {
    const which =
      mine.tag === theirs.tag ? `one of the <${mine.tag}>` : `the <${mine.tag}> or the <${theirs.tag}>`;
    const isBare = mine.props["id"] === undefined || theirs.props["id"] === undefined;
    return ` They are parts of ${compositeName(theirs)} and ${compositeName(mine)}: give ${which} ${isBare ? "an id" : "another id"}.`;
  }
  const composite = mine ?? theirs;
  if (composite === undefined) return "";
  const both = mine === theirs ? "Both are parts" : "One of them is a part";
  return ` ${both} of ${compositeName(composite)}.`;
}
