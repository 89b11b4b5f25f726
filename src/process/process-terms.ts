import { AsyncLocalStorage } from "node:async_hooks";

/** Variable with the id of the session that a process was started by: its successor ends what is left of it. */
export const OWNER_MARKER = "TREADLE_OWNER";

/** The terms for every process that is started on behalf of one task. */
export interface ProcessTerms {
  /** Variables that every child carries, whatever else its environment holds. */
  readonly markers: Readonly<Record<string, string>>;
  /** Absolute paths, without links, of the workspace's database files and state folder: no child gets to see them. */
  readonly hidden: readonly string[];
  /** Whether `hidden` is kept also from command-line agents, which are not confined otherwise. */
  readonly isConcealing: boolean;
  /** Absolute paths, without links, of the running workflow's modules: no tool changes them. */
  readonly frozen: readonly string[];
}

const OUTSIDE: ProcessTerms = { markers: {}, hidden: [], isConcealing: false, frozen: [] };
const storage = new AsyncLocalStorage<ProcessTerms>();

/** Runs `work`; processes started from it, also later and asynchronously, belong to `terms`. */
export function withProcessTerms<T>(terms: ProcessTerms, work: () => T): T {
  return storage.run(terms, work);
}

/** The terms of the task that calls; an empty one outside of any task. */
export function currentProcessTerms(): ProcessTerms {
  return storage.getStore() ?? OUTSIDE;
}
