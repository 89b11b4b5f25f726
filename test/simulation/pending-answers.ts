import { isPromise } from "node:util/types";

/** Records that hang on a store. */
const PARTS: ReadonlySet<PropertyKey> = new Set(["deliveries", "fleet", "limits", "memory", "schedules"]);

/** Counts what a store was asked and has not answered yet. One that answers at once never has any. */
export class PendingAnswers {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The store, its answers counted. */
  of<T extends object>(inner: T): T {
    const methods = new Map<PropertyKey, unknown>();
    return new Proxy(inner, {
      get: (target, property) => {
        const known = methods.get(property);
        if (known !== undefined) return known;
        const value: unknown = Reflect.get(target, property, target);
        const isPart = PARTS.has(property);
        if (!isPart && typeof value !== "function") return value;
        const counted = isPart
          ? this.of(value as object)
          : (...args: unknown[]) => this.#counted(Reflect.apply(value as () => unknown, target, args));
        methods.set(property, counted);
        return counted;
      },
    });
  }

  #counted(answer: unknown): unknown {
    if (!isPromise(answer)) return answer;
    this.#count += 1;
    const settle = () => {
      this.#count -= 1;
    };
    answer.then(settle, settle);
    return answer;
  }
}
