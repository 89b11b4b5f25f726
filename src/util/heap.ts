/**
 * Binary min-heap. Equal priorities leave in no particular order, so callers
 * that need one put it into `precedes`.
 */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #precedes: (a: T, b: T) => boolean;

  constructor(precedes: (a: T, b: T) => boolean) {
    this.#precedes = precedes;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#precedes(item, items[parent] as T)) break;
      items[index] = items[parent] as T;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return top;
    let index = 0;
    for (;;) {
      let child = index * 2 + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#precedes(items[child + 1] as T, items[child] as T)) child += 1;
      if (!this.#precedes(items[child] as T, last)) break;
      items[index] = items[child] as T;
      index = child;
    }
    items[index] = last;
    return top;
  }
}
