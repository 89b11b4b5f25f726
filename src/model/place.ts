/**
 * Places of elements in a tree, which ids are made of where an author gave none. A place is the
 * steps from the root: `.` and the position below an element or fragment, `~` and the position
 * among what a component returns or a provider holds. A key stands for the position.
 *
 * P1. An id follows from a place alone, and no step from what stands beside it: a sibling that
 *     comes or goes leaves the id as it is, so a process that resumes a run finds what was stored.
 * P2. The first of a component's elements adds nothing to the id, the only one neither: whether
 *     others stand beside it does not show in conditions that do not hold. So wrapping an
 *     element in a component does not move it.
 * P3. Two places of one tree make two ids.
 */

/** One step down. */
export interface Step {
  /** The parent is a component or provider, which has no place of its own. */
  readonly isInComponent: boolean;
  readonly key: string | null;
  readonly index: number;
  /** Nothing follows it. Only ids of before the present rule depend on it. */
  readonly isAlone: boolean;
}

export function stepText({ isInComponent, key, index, isAlone }: Step): string {
  const mark = isInComponent ? "~" : ".";
  if (key !== null) return mark + keyText(key);
  return isInComponent && index === 0 && isAlone ? mark : mark + index;
}

const FIRST = /~0/g;
const FIRST_ONES_AT_THE_END = /~+(?=\.|$)/g;

/** `kind@place`, such as `loop@0.1`. */
export function defaultId(kind: string, place: string): string {
  const steps = place.replace(FIRST, "~").replace(FIRST_ONES_AT_THE_END, "");
  return `${kind}@${steps.startsWith(".") ? steps.slice(1) : steps}`;
}

/* The rest is for runs that were stored before P1 held: their ids are `loop:0.1`. */

/** The id that the element would have been given had it been mounted as it stands now. */
export function formerDefaultId(kind: string, place: string): string {
  const steps = stepsOf(place).flatMap(({ text }) => (text === "" ? [] : [text]));
  return `${kind}:${steps.join(".")}`;
}

/** Whether the element may have been given this id: what stood beside it when it was mounted is not known. */
export function mayHaveHadId(kind: string, place: string, id: string): boolean {
  if (!id.startsWith(`${kind}:`)) return false;
  const rest = `${id.slice(kind.length + 1)}.`;
  let reached = new Set([0]);
  for (const { text, isOptional } of stepsOf(place)) {
    const next = new Set<number>();
    for (const at of reached) {
      if (isOptional || text === "") next.add(at);
      if (text !== "" && rest.startsWith(`${text}.`, at)) next.add(at + text.length + 1);
      if (isOptional && rest.startsWith("0.", at)) next.add(at + 2);
    }
    reached = next;
  }
  return reached.has(rest.length);
}

function stepsOf(place: string): { text: string; isOptional: boolean }[] {
  let isInElement = false;
  return [...place.matchAll(/([.~])([^.~]*)/g)].map(({ 0: step, 1: mark, 2: text = "", index }) => {
    if (mark === ".") isInElement = true;
    // The last step is from treadle's own component to its element, those above the Workflow are not lists either.
    const isLast = index + step.length === place.length;
    const isFirst = mark === "~" && (text === "" || text === "0");
    return { text: written(text), isOptional: isFirst && isInElement && !isLast };
  });
}

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

/** Never a number, and without the marks of places and addresses. */
function keyText(key: string): string {
  if (PLAIN_KEY.test(key)) return key;
  return `$${key.replace(/[^\w-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)}`;
}

function written(text: string): string {
  if (!text.startsWith("$")) return text;
  return text
    .slice(1)
    .replace(/%([0-9a-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}
