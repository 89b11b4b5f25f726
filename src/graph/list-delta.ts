import { ServiceError } from "../errors/service-error.js";
import { sameData } from "../util/same-data.js";

/**
 * How to make one list of another, front to back: a positive number keeps that
 * many items, a negative one drops them, `+` inserts, `~` changes one item, or
 * `of` items in the same way. Items behind the last edit are kept.
 */
export type ListDelta<T, D> = ListEdit<T, D>[];
export type ListEdit<T, D> = number | { "+": T[] } | { "~": D; of?: number };

export interface ItemDelta<T, D> {
  /** Items with equal keys may be versions of one another. */
  keyOf(item: T): string;
  /** Whether the keys are equal, without making them: most items stand where they stood. */
  sameKey(a: T, b: T): boolean;
  /** Null when they are equal. Called for items with equal keys only. */
  diff(previous: T, next: T): D | null;
}

/** Null when the lists are equal. Costs one comparison per item; items that are the same object cost nothing more. */
export function diffLists<T, D>(
  previous: readonly T[],
  next: readonly T[],
  items: ItemDelta<T, D>,
): ListDelta<T, D> | null {
  if (previous === next) return null;
  const script = new Script<T, D>();
  /** Made for the first item that does not stand where the one before it ended. */
  let places: ReturnType<typeof placesByKey<T, D>> | undefined;
  let at = 0;
  for (const item of next) {
    const before = previous[at];
    if (before === item) {
      script.keep(1);
      at += 1;
      continue;
    }
    let match: number | undefined = at;
    if (before === undefined || !items.sameKey(before, item)) {
      places ??= placesByKey(previous, at, items);
      match = places.after(items.keyOf(item), at);
    }
    if (match === undefined) {
      script.insert(item);
      continue;
    }
    script.drop(match - at);
    const change = items.diff(previous[match] as T, item);
    if (change === null) script.keep(1);
    else script.change(change);
    at = match + 1;
  }
  script.drop(previous.length - at);
  return script.finish();
}

/** @param change makes the next version of an item of its delta */
export function applyListDelta<T, D>(
  previous: readonly T[],
  delta: ListDelta<T, D>,
  change: (item: T, delta: D) => T,
): T[] {
  const next: T[] = [];
  let at = 0;
  for (const edit of delta) {
    if (typeof edit !== "number") {
      if ("+" in edit) for (const item of edit["+"]) next.push(item);
      else {
        const end = placeAfter(previous, at, edit.of ?? 1);
        for (; at < end; at += 1) next.push(change(previous[at] as T, edit["~"]));
      }
    } else if (edit < 0) {
      at -= edit;
    } else {
      const end = placeAfter(previous, at, edit);
      for (; at < end; at += 1) next.push(previous[at] as T);
    }
  }
  for (; at < previous.length; at += 1) next.push(previous[at] as T);
  return next;
}

/** @throws STORAGE_ERROR */
function placeAfter(list: readonly unknown[], at: number, count: number): number {
  if (count <= list.length - at) return at + count;
  throw new ServiceError("STORAGE_ERROR", "A stored change is about more items than there are.");
}

/** Finds items that are still to come by their key. */
function placesByKey<T, D>(list: readonly T[], start: number, { keyOf }: ItemDelta<T, D>) {
  const places = new Map<string, number[]>();
  for (let index = list.length - 1; index >= start; index -= 1) {
    const key = keyOf(list[index] as T);
    const indexes = places.get(key);
    if (indexes === undefined) places.set(key, [index]);
    else indexes.push(index);
  }
  return {
    /** The first place of `key` at or behind `at`, which never goes back. */
    after(key: string, at: number): number | undefined {
      const indexes = places.get(key);
      let index = indexes?.pop();
      while (index !== undefined && index < at) index = indexes?.pop();
      return index;
    },
  };
}

class Script<T, D> {
  readonly #edits: ListDelta<T, D> = [];
  #changed = false;

  keep(count: number): void {
    this.#count(count);
  }

  drop(count: number): void {
    if (count > 0) this.#changed = true;
    this.#count(-count);
  }

  insert(item: T): void {
    this.#changed = true;
    const last = this.#edits.at(-1);
    if (typeof last === "object" && "+" in last) last["+"].push(item);
    else this.#edits.push({ "+": [item] });
  }

  change(delta: D): void {
    this.#changed = true;
    const last = this.#edits.at(-1);
    if (typeof last === "object" && "~" in last && sameData(last["~"], delta)) last.of = (last.of ?? 1) + 1;
    else this.#edits.push({ "~": delta });
  }

  finish(): ListDelta<T, D> | null {
    if (!this.#changed) return null;
    if ((this.#edits.at(-1) as number) > 0) this.#edits.pop();
    return this.#edits;
  }

  /** Runs of keeps, and of drops, become one number. */
  #count(count: number): void {
    if (count === 0) return;
    const last = this.#edits.at(-1);
    if (typeof last === "number" && last > 0 === count > 0)
      this.#edits[this.#edits.length - 1] = last + count;
    else this.#edits.push(count);
  }
}
