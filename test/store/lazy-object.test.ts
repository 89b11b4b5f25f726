import { describe, expect, it } from "vitest";
import { lazyObject } from "../../src/store/lazy-object.js";

class Counter {
  count = 1;
  get twice(): number {
    return this.count * 2;
  }
  increment(): number {
    this.count += 1;
    return this.count;
  }
}

describe("a lazy object", () => {
  it("is made once, at the first access", () => {
    let made = 0;
    const lazy = lazyObject(() => {
      made += 1;
      return new Counter();
    });
    expect(made).toBe(0);
    expect([lazy.count, lazy.increment(), lazy.twice, made]).toEqual([1, 2, 4, 1]);
  });

  it("answers known members without being made", () => {
    const mark = Symbol("mark");
    const lazy = lazyObject<Counter>(
      () => {
        throw new Error("made too early");
      },
      { [mark]: "known" },
    );
    expect(Reflect.get(lazy, mark)).toBe("known");
    expect(mark in lazy).toBe(true);
    expect(() => lazy.count).toThrow("made too early");
  });

  it("passes for the object it stands for", () => {
    const real = new Counter();
    const lazy = lazyObject(() => real);
    expect(lazy).toBeInstanceOf(Counter);
    expect(Object.keys(lazy)).toEqual(["count"]);
    expect({ ...lazy }).toEqual({ count: 1 });
    expect("increment" in lazy).toBe(true);
    lazy.count = 8;
    expect(real.count).toBe(8);
    expect(Object.getOwnPropertyDescriptor(lazy, "missing")).toBeUndefined();
  });

  it("shows members that its object will never lose", () => {
    const lazy = lazyObject(() => Object.freeze({ fixed: 1 }));
    expect(Object.entries(lazy)).toEqual([["fixed", 1]]);
  });

  it("is made at a later access when making it failed before", () => {
    let attempts = 0;
    const lazy = lazyObject(() => {
      attempts += 1;
      if (attempts === 1) throw new Error("not yet");
      return { ok: true };
    });
    expect(() => lazy.ok).toThrow("not yet");
    expect(lazy.ok).toBe(true);
  });
});
