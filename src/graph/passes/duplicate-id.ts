import { type Composite, compositeAround, compositeName } from "../../model/composite.js";
import { elementName } from "../../model/element-name.js";
import type { HostElement } from "../../model/host-node.js";
import { frameError } from "../frame-error.js";
import { subflowsAround } from "../inline-scopes.js";

/** Two elements have one id. Parts of composites are named by the names that their author wrote. */
export function duplicateId(element: HostElement, owner: HostElement) {
  const problem = `has the id of another element: ${elementName(owner)}.`;
  return frameError(
    "DUPLICATE_ID",
    element,
    problem + (remedyOfScope(element, owner) ?? remedyOf(compositeAround(element), compositeAround(owner))),
  );
}

/** One of them is in an inline subflow that the run has begun with its ids as they are written. */
function remedyOfScope(element: HostElement, owner: HostElement): string | undefined {
  const [mine, theirs] = [subflowsAround(element), subflowsAround(owner)];
  const subflow = mine.find((each) => !theirs.includes(each)) ?? theirs.find((each) => !mine.includes(each));
  if (subflow === undefined) return undefined;
  return ` One of them is in the inline ${elementName(subflow)}, whose ids were free when the run mounted it and stay as they are written: give the task another id, or the Subflow mode="childRun".`;
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
