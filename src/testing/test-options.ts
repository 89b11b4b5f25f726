import type { RunOptions } from "../model/run-options.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { MockAgent } from "./mock-agent.js";
import { VirtualClock } from "./virtual-clock.js";
import { isRecord } from "../util/is-record.js";

/** What `testWorkflow` runs the workflow with. */
export interface TestWorkflowOptions<Input = Record<string, unknown>> {
  /** The run's input. @default {} */
  input?: Input;
  /**
   * Mocks by node id. A task without one asks its own agent, unless a mock is given for an id that has
   * not been mounted by then: that is likely to be this task's, mistyped, and the test is refused.
   */
  agents?: Readonly<Record<string, MockAgent>>;
  /** Shared by runs that are to live in one time. @default a new one at 2026-01-01T00:00:00Z */
  clock?: VirtualClock;
  /** Passed to every drive of the run. */
  options?: Omit<RunOptions, (typeof OWN)[number]>;
}

/** Options of a run that a test sets itself, or that need time to pass by itself. */
const OWN = ["input", "runId", "resume", "signal", "hot"] as const;

const RULES: rules.OptionRules<TestWorkflowOptions> = {
  input: rules.anything,
  agents: rules.checked("an object of rows, lists of rows and functions by task id", areMocks),
  clock: rules.checked("a VirtualClock", (value) => value instanceof VirtualClock),
  options: rules.checked(`options of runWorkflow other than ${OWN.join(", ")}`, areForRuns),
};

/** @throws INVALID_INPUT */
export function checkTestOptions(options: TestWorkflowOptions): void {
  checkOptions("testWorkflow", options, RULES);
}

function areMocks(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((mock) => isMock(mock));
}

function isMock(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRecord);
  return typeof value === "function" || isRecord(value);
}

function areForRuns(value: unknown): boolean {
  return isRecord(value) && OWN.every((name) => value[name] === undefined);
}
