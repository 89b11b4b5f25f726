import { NODE_STATES, type NodeState } from "../model/node.js";
import type { RunStatus } from "../model/run.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { TestedTask } from "./stored-run.js";
import type { WorkflowTest } from "./test-workflow.js";

/** The task that `toHaveTask` expects. */
export interface ExpectedTask {
  /** @default any */
  state?: NodeState;
  /** How many there were. @default any number */
  attempts?: number;
  /** @default any of them */
  iteration?: number;
}

const EXPECTED_RULES = {
  state: rules.oneOf(NODE_STATES),
  attempts: rules.wholeNumber,
  iteration: rules.wholeNumber,
} satisfies rules.OptionRules<ExpectedTask>;

/** A matcher's answer to the test runner. */
export interface MatchResult {
  /** Whether it is as expected. */
  pass: boolean;
  /** The message if the test wanted the other result. */
  message(): string;
}

/**
 * The matchers that `expect.extend(workflowMatchers)` adds to `expect(test)`, for the types of the test runner.
 * `Actual` is what `expect` was given: anything but a {@link WorkflowTest} is refused.
 *
 * @example
 * declare module "vitest" {
 *   interface Matchers<T> extends WorkflowMatchers<T> {}
 * }
 */
export interface WorkflowMatchers<Actual> {
  /** The status that the last drive left. */
  toHaveStatus(status: Of<Actual, RunStatus>): void;
  /** Await it. Members of `expected` that are absent may be anything. */
  toHaveTask(nodeId: Of<Actual, string>, expected?: ExpectedTask): Promise<void>;
  /** Await it. The last frame; space between elements does not count. */
  toMatchGraph(xml: Of<Actual, string>): Promise<void>;
}

type Of<Actual, T> = Actual extends WorkflowTest ? T : never;

/**
 * Matchers for vitest or jest: `expect.extend(workflowMatchers)`. Their types: {@link WorkflowMatchers}.
 *
 * @example
 * expect(test).toHaveStatus("waiting-approval");
 * await expect(test).toHaveTask("publish", { state: "finished", attempts: 1 });
 */
export const workflowMatchers = {
  toHaveStatus(test: WorkflowTest, status: RunStatus): MatchResult {
    const actual = test.result.status;
    return {
      pass: actual === status,
      message: () => `expected the run to be ${status}; it is ${actual}`,
    };
  },

  async toHaveTask(test: WorkflowTest, nodeId: string, expected: ExpectedTask = {}): Promise<MatchResult> {
    checkOptions("toHaveTask", expected, EXPECTED_RULES);
    const tasks = (await test.tasks()).filter((task) => task.nodeId === nodeId);
    const meant = tasks.filter(
      (known) => expected.iteration === undefined || known.iteration === expected.iteration,
    );
    const pass = meant.some(
      (task) =>
        (expected.state === undefined || task.state === expected.state) &&
        (expected.attempts === undefined || task.attempts === expected.attempts),
    );
    return {
      pass,
      message: () => `expected task ${nodeId} to be ${describe(expected)}; ${found(meant, tasks)}`,
    };
  },

  async toMatchGraph(test: WorkflowTest, xml: string): Promise<MatchResult> {
    const last = (await test.frames()).at(-1) ?? "";
    return {
      pass: normalize(last) === normalize(xml),
      message: () => `expected the last frame to be\n${xml}\nit is\n${last}`,
    };
  },
};

function describe(expected: object): string {
  const facts = Object.entries(expected).map(([name, value]) => `${name} ${value}`);
  return facts.length === 0 ? "mounted" : facts.join(", ");
}

function found(meant: readonly TestedTask[], sameId: readonly TestedTask[]): string {
  if (meant.length > 0) {
    return meant
      .map(({ iteration, state, attempts }) => {
        const place = meant.length === 1 ? "it" : `iteration ${iteration}`;
        return `${place} is ${state} after ${attempts} attempt(s)`;
      })
      .join(", ");
  }
  if (sameId.length === 0) return "it was never mounted";
  return `it exists at iterations ${sameId.map((known) => known.iteration).join(", ")}`;
}

/** Space between elements does not count. */
function normalize(xml: string): string {
  return xml.replace(/>\s+</g, "><").trim();
}
