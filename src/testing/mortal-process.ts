import type { AttemptHandle, AttemptLink, ScoreJob, ScoreOutcome, TaskDispatcher } from "../engine/index.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { Store } from "../store/index.js";

/** The calls at which a process may die; several runs that write together make one transaction. */
const COMMITTING: ReadonlySet<PropertyKey> = new Set(["commit", "writeTogether"]);

/** Thrown by the stores of a process that has "died". */
export class SimulatedCrash extends Error {
  override readonly name = "SimulatedCrash";
}

/** When a simulated process dies: at its n-th commit, before or after it is durable. */
export interface Fuse {
  commit: number;
  when: "before" | "after";
}

const FUSE_RULES = {
  commit: rules.required(rules.positiveInteger),
  when: rules.required(rules.oneOf(["before", "after"])),
} satisfies rules.OptionRules<Fuse>;

/**
 * A simulated process: it can die as a process that is killed does, so that
 * nothing it has not committed remains, and it knows whether it is busy.
 */
export class MortalProcess {
  readonly #fuse: Fuse | undefined;
  #isDead = false;
  #commits = 0;
  #executing = 0;

  /** @throws INVALID_INPUT for a fuse that would never burn */
  constructor(fuse?: Fuse) {
    if (fuse !== undefined) checkOptions("a fuse", fuse, FUSE_RULES);
    this.#fuse = fuse;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Commits made so far, in all its stores. */
  get commits(): number {
    return this.#commits;
  }

  /** Attempts, scorers and answers of its stores in progress. An attempt that drives a child run is as busy as that run's attempts. */
  get executing(): number {
    return this.#executing;
  }

  /** From now on every call of its stores fails. */
  die(): void {
    this.#isDead = true;
  }

  /** The store as this process sees it. */
  open(inner: Store): Store {
    const methods = new Map<PropertyKey, unknown>();
    return new Proxy(inner, {
      get: (target, property) => {
        if (methods.has(property)) return methods.get(property);
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== "function") return value;
        const method = (...args: unknown[]): unknown => {
          if (this.#isDead) throw new SimulatedCrash("The simulated process died.");
          const call = (): unknown => Reflect.apply(value, target, args);
          return this.#awaited(COMMITTING.has(property) ? this.#commit(call) : call());
        };
        methods.set(property, method);
        return method;
      },
    });
  }

  /** The dispatcher, its attempts counted. */
  watch(inner: TaskDispatcher): TaskDispatcher {
    return {
      dispatch: (...attempt) => this.#dispatch(inner, attempt),
      score: (job) => this.#score(inner, job),
    };
  }

  async #score(inner: TaskDispatcher, job: ScoreJob): Promise<ScoreOutcome> {
    this.#executing += 1;
    try {
      return await inner.score(job);
    } finally {
      this.#executing -= 1;
    }
  }

  /** Of a database that does not answer at once: until it has, the process is busy. */
  #awaited(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    this.#executing += 1;
    return answer.finally(() => {
      this.#executing -= 1;
    });
  }

  #commit(call: () => unknown): unknown {
    this.#commits += 1;
    const isFatal = this.#commits === this.#fuse?.commit;
    if (isFatal && this.#fuse?.when === "before") this.#crash();
    const result = call();
    if (isFatal) this.#crash();
    return result;
  }

  #crash(): never {
    this.die();
    throw new SimulatedCrash("The simulated process died.");
  }

  #dispatch(inner: TaskDispatcher, [job, link, run]: Parameters<TaskDispatcher["dispatch"]>): AttemptHandle {
    const weight = job.kind === "subflow" ? 0 : 1;
    this.#executing += weight;
    const counted: AttemptLink = {
      mayBegin: () => link.mayBegin(),
      whenKept: () => link.whenKept(),
      report: (report) => {
        if (report.type === "completed") this.#executing -= weight;
        link.report(report);
      },
    };
    return inner.dispatch(job, counted, run);
  }
}
