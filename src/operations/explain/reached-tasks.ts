import type { XmlElement, XmlNode } from "../../model/xml.js";

/** Groups whose children run at the same time. */
const AT_ONCE: ReadonlySet<string> = new Set(["Parallel", "MergeQueue"]);

/** Parts that run only when something has gone wrong, or is over: the tree does not show that. */
const LATER: ReadonlySet<string> = new Set(["SagaCompensation", "CatchPart", "FinallyPart"]);

/**
 * The ids of the tasks whose turn has come by their place in the tree: everything before them in their
 * sequences is over. Tasks that follow a failure (compensations, `catch`, `finally`) are left out.
 *
 * @param isOver of a task of the tree, by its id; undefined for an element that is no task
 */
export function reachedTasks(
  xml: XmlNode | null,
  isOver: (nodeId: string) => boolean | undefined,
): ReadonlySet<string> {
  const reached = new Set<string>();

  /** @returns whether all tasks in it are over */
  function visit(element: XmlElement, isReached: boolean): boolean {
    const { props, tag } = element;
    const over = props.id === undefined ? undefined : isOver(props.id);
    if (over !== undefined) {
      if (isReached) reached.add(props.id as string);
      // An asynchronous wait does not hold up the tasks after it.
      return over || props.async === "true";
    }
    let isDone = true;
    let isNext = isReached && !LATER.has(tag);
    for (const child of element.children) {
      if (child.kind !== "element") continue;
      const isChildDone = visit(child, isNext);
      if (!LATER.has(child.tag)) isDone &&= isChildDone;
      if (!AT_ONCE.has(tag)) isNext &&= isDone;
    }
    return isDone;
  }

  if (xml?.kind === "element") visit(xml, true);
  return reached;
}
