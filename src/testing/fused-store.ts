import type { Store } from "../store/contract.js";

/** Thrown by a store whose process has "died". */
export class SimulatedCrash extends Error {
  override readonly name = "SimulatedCrash";
}

/** When a simulated process dies: at its n-th commit from now, before or after it is durable. */
export interface Fuse {
  commit: number;
  when: "before" | "after";
}

/** A store that can be cut off, as a process that is killed is: nothing it has not committed remains. */
export interface FusedStore {
  readonly store: Store;
  /** From now on every call fails. */
  blow(): void;
  readonly isBlown: boolean;
  /** Commits made so far. */
  readonly commits: number;
}

export function fuseStore(inner: Store, fuse?: Fuse): FusedStore {
  let blown = false;
  let commits = 0;
  const crash = () => {
    blown = true;
    throw new SimulatedCrash("The simulated process died.");
  };
  const store = new Proxy(inner, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (blown) crash();
        if (property !== "commit") return Reflect.apply(value, target, args);
        commits += 1;
        if (fuse?.when === "before" && commits === fuse.commit) crash();
        const result: unknown = Reflect.apply(value, target, args);
        if (fuse?.when === "after" && commits === fuse.commit) crash();
        return result;
      };
    },
  });
  return {
    store,
    blow() {
      blown = true;
    },
    get isBlown() {
      return blown;
    },
    get commits() {
      return commits;
    },
  };
}
