import type { ElementKey } from "../../util/element.js";
import type { CachePolicy, RetryPolicy } from "../../model/task.js";

/** Props that tasks of several kinds share. */
export interface OrderProps {
  key?: ElementKey | undefined;
  /** Marks the task as skipped; what depends on it continues. @default false */
  skipIf?: boolean;
  /** Ids of tasks that must be done before. */
  dependsOn?: readonly string[];
  /** Alias to node id: orders, and hands the node's row to a function child under the alias. */
  needs?: Readonly<Record<string, string>>;
  /** Shown instead of the id. @default the id */
  label?: string;
  /** Anything to remember about the task; shown and stored, not interpreted. */
  meta?: Readonly<Record<string, unknown>>;
}

/** Limits of a task's attempts. */
export interface LimitProps {
  /** Milliseconds that one attempt may take; of a wait, that it may last. @default for ever */
  timeoutMs?: number;
  /** Milliseconds an attempt may go without a heartbeat. */
  heartbeatTimeoutMs?: number;
  /** Alias of `heartbeatTimeoutMs`. */
  heartbeatTimeout?: number;
  /**
   * Attempts after the first one. @default Infinity; with `continueOnFail`, in a try
   * block or a saga action 0, for an agent 1, for a chain as many as it takes to ask each of it
   */
  retries?: number;
  /** How long a failed attempt waits for the next. @default exponential from 1 s, at most 5 min */
  retryPolicy?: RetryPolicy;
  /** A failure does not stop what comes after. @default false */
  continueOnFail?: boolean;
  /** Takes the row of an equal earlier task, of this run or others, instead of running; `false`: never, whatever the workflow says. */
  cache?: CachePolicy | false;
}
