import { writtenId } from "../model/address.js";
import type { HostElement } from "../model/host-node.js";
import { defaultId, formerDefaultId, mayHaveHadId } from "../model/place.js";

const KINDS = { Loop: "loop", Saga: "saga", TryCatchFinally: "try" } as const;

export type ControlKind = (typeof KINDS)[keyof typeof KINDS];

const FORMER = /^(?:loop|saga|try):/;

/**
 * Runs that were stored when default ids still depended on what stood beside the element: their
 * rows are addressed by those ids, so their loops and blocks keep them.
 */
export class FormerIds {
  readonly #free: Set<string>;
  /** By the default ids of today. */
  readonly #taken = new Map<string, string>();

  constructor(ids: Iterable<string>) {
    this.#free = new Set(ids);
  }

  /** Before any other element may take it: the id that this one would have been given here. */
  reserve(kind: ControlKind, place: string): void {
    const id = formerDefaultId(kind, place);
    if (this.#free.has(id)) this.#take(id, defaultId(kind, place));
  }

  of(kind: ControlKind, place: string): string | undefined {
    const today = defaultId(kind, place);
    const taken = this.#taken.get(today);
    if (taken !== undefined) return taken;
    for (const id of this.#free) if (mayHaveHadId(kind, place, id)) return this.#take(id, today);
    return undefined;
  }

  #take(id: string, today: string): string {
    this.#free.delete(id);
    this.#taken.set(today, id);
    return id;
  }
}

export const NO_FORMER_IDS = new FormerIds([]);

/** @param stored addresses of what the run is stored with */
export function formerIdsOf(root: HostElement, stored: Iterable<string>): FormerIds {
  const ids = new Set<string>();
  for (const address of stored) if (FORMER.test(address)) ids.add(writtenId(address));
  if (ids.size === 0) return NO_FORMER_IDS;
  const places: { kind: ControlKind; path: string }[] = [];
  for (const { tag, path, props } of controlsBelow(root)) {
    if (path !== "") places.push({ kind: KINDS[tag as keyof typeof KINDS], path });
    // It looks like a former one, and is its author's.
    else ids.delete(String(props["id"]));
  }
  const former = new FormerIds(ids);
  for (const { kind, path } of places) former.reserve(kind, path);
  return former;
}

function* controlsBelow(element: HostElement): Generator<HostElement> {
  if (Object.hasOwn(KINDS, element.tag)) yield element;
  for (const child of element.children) if (child.kind === "element") yield* controlsBelow(child);
}
