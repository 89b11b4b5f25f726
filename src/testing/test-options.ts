import type { RunOptions } from "../model/run-options.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { MockAgent } from "./mock-agent.js";
import type { MockScorer } from "./mock-scorer.js";
import { VirtualClock } from "./virtual-clock.js";
import { isRecord } from "../util/is-record.js";

/** Options of `testWorkflow`. */
export interface TestWorkflowOptions<Input = Record<string, unknown>> {
  /** The run's input. @default {} */
  input?: Input;
  /**
   * Mocks by node id. A task without one asks its own agent, unless a mock is given for an id that has
   * not been mounted by then: that is likely to be this task's, mistyped, and the test is refused.
   */
  agents?: Readonly<Record<string, MockAgent>>;
  /**
   * Mocks by scorer id. A scorer without one is asked, unless it asks a model and a mock is given for an id that
   * no scorer has been sampled with by then, or its id is nearly that of such a mock: the test is refused.
   */
  scorers?: Readonly<Record<string, MockScorer>>;
  /** Shared by runs that are to live in one time. @default a new one at 2026-01-01T00:00:00Z */
  clock?: VirtualClock;
  /** Passed to every drive of the run. */
  options?: Omit<RunOptions, (typeof OWN)[number]>;
}

/** Options of a run that a test sets itself, or that need time to pass by itself. */
const OWN = ["input", "runId", "resume", "signal", "hot"] as const;

const RULES = {
  input: rules.withDefault(rules.anything, {}),
  agents: rules.checked("an object of rows, lists of rows and functions by task id", areMocks),
  scorers: rules.checked("an object of {score}, lists of them and functions by scorer id", areScorerMocks),
  clock: rules.checked("a VirtualClock", (value) => value instanceof VirtualClock),
  options: rules.checked(`options of runWorkflow other than ${OWN.join(", ")}`, areForRuns),
} satisfies rules.OptionRules<TestWorkflowOptions>;

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

function areScorerMocks(value: unknown): boolean {
  const isMockOf = (mock: unknown) =>
    Array.isArray(mock)
      ? mock.length > 0 && mock.every(isScore)
      : typeof mock === "function" || isScore(mock);
  return isRecord(value) && Object.values(value).every(isMockOf);
}

function isScore(value: unknown): boolean {
  const score = isRecord(value) ? value["score"] : undefined;
  return typeof score === "number" && score >= 0 && score <= 1;
}

function areForRuns(value: unknown): boolean {
  return isRecord(value) && OWN.every((name) => value[name] === undefined);
}
