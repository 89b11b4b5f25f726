import { z } from "zod";
import type { AgentInput } from "../../model/agent.js";
import type { Composite } from "../../model/composite.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import {
  anything,
  callback,
  checked,
  flag,
  name,
  oneOf,
  required,
  withDefault,
} from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { once } from "../../util/once.js";
import { isPlainObject } from "../../util/same-data.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { bookkeeping } from "./bookkeeping.js";
import { checkItem, checkItems, type ItemRules } from "./check-items.js";
import { agent, checkProps, concurrency, output, type PropRules, shellLine } from "./check-props.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";
import { runShellCommand } from "./run-command.js";
import type { TakesRow } from "./takes-row.js";
import { wrongProp } from "./wrong-prop.js";

/** One check: exactly one of `agent`, `command` and `run`. */
export interface SuiteCheck {
  /** Names it in `results`, and in its node `<suite>-<id>`. */
  id: string;
  /** Is asked `prompt`, and answers `{passed, reason}`. */
  agent?: AgentInput | readonly AgentInput[];
  /** Shell line for the built-in `bash` tool; exit code 0 passes. */
  command?: string;
  /** Makes the row: `{passed}`, and whatever else is worth keeping. */
  run?(inputs: Record<string, unknown>, runtime: TaskRuntime): CheckRow | Promise<CheckRow>;
  /** The agent's prompt. @default to carry out the check of that label */
  prompt?: WorkflowNode;
  /** Shown instead of the id. @default the id */
  label?: string;
}

/** Passes unless it says otherwise: `passed` or `ok` false, `failed` true, or an `error`. One of them it must say. */
export type CheckRow = Readonly<Record<string, unknown>> &
  ({ passed: boolean } | { ok: boolean } | { failed: boolean } | { error: unknown });

/** The verdict of the suite. */
export type SuiteVerdict = {
  passed: boolean;
  /** Checks that passed. */
  passCount: number;
  total: number;
  strategy: "all-pass" | "majority" | "any-pass";
  /** Check id to whether it passed. */
  results: Record<string, boolean>;
};

/** Props of `CheckSuite`. */
export interface CheckSuiteProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>> {
  /** Prefix of the ids `<id>-<check>` and `<id>-verdict`. @default "checksuite" */
  id?: string;
  /** A list, or an object from ids to checks. */
  checks: readonly SuiteCheck[] | Readonly<Record<string, Omit<SuiteCheck, "id">>>;
  /** Takes the verdict: `{passed, passCount, total, strategy, results}`, or the part of it that it has fields for. */
  verdictOutput: T;
  /** The rule for passing: every check, more than half of them, or one. @default "all-pass" */
  strategy?: "all-pass" | "majority" | "any-pass";
  /** Checks at once. @default unbounded */
  maxConcurrency?: number;
  /** A check that breaks down counts as failed; `false` lets it fail the run. @default true */
  continueOnFail?: boolean;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

/** `CheckSuite`, typed by the module's schemas. */
export type CheckSuiteComponent<S extends SchemaMap = SchemaMap> = <const T extends OutputTarget<S>>(
  props: CheckSuiteProps<S, T & TakesRow<S, T, SuiteVerdict>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "checksuite"),
  checks: required(
    checked(
      "a list of checks with at least one entry, or an object of them",
      (value) => (Array.isArray(value) || isPlainObject(value)) && Object.keys(value as object).length > 0,
    ),
  ),
  verdictOutput: output,
  strategy: withDefault(oneOf(["all-pass", "majority", "any-pass"]), "all-pass"),
  maxConcurrency: concurrency,
  continueOnFail: withDefault(flag, true),
  skipIf: withDefault(flag, false),
} satisfies PropRules<CheckSuiteProps>;

const CHECK = {
  what: "a check",
  fields: {
    id: required(
      checked('an id other than "verdict"', (value) => name.fits(value) && (value as string) !== "verdict"),
    ),
    agent,
    command: shellLine,
    run: callback,
    prompt: anything,
    label: name,
  },
} satisfies ItemRules<SuiteCheck>;

const { id: CHECK_ID, ...fields } = CHECK.fields;
/** One that stands under its id. */
const KEYED_CHECK: ItemRules<Omit<SuiteCheck, "id">> = { what: CHECK.what, fields };

/**
 * Runs checks side by side and says whether they passed.
 * @example
 * <CheckSuite
 *   checks={{ types: { command: "npx tsc --noEmit" }, review: { agent: reviewer, prompt: "Is the change sound?" } }}
 *   verdictOutput={outputs.verdict}
 * />
 * @see `docs/components/check-suite.md`
 */
export const CheckSuite = ((given: CheckSuiteProps): WorkflowElement => {
  const { composite, props } = checkProps("CheckSuite", given, RULES);
  const { id, strategy, continueOnFail, maxConcurrency } = props;
  const checks = listed(composite, props.checks).map((check) => ({ ...check, nodeId: itemId(id, check.id) }));
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Parallel {...(maxConcurrency !== undefined && { maxConcurrency })}>
        {checks.map((check) => (
          <OneCheck key={check.nodeId} {...check} continueOnFail={continueOnFail} />
        ))}
      </Parallel>
      <Task
        {...bookkeeping()}
        id={`${id}-verdict`}
        output={props.verdictOutput}
        needs={Object.fromEntries(checks.map(({ nodeId }) => [nodeId, nodeId]))}
        cache={false}
      >
        {(rows) => verdictOf(strategy, checks, rows)}
      </Task>
    </Sequence>,
  );
}) as CheckSuiteComponent;

type KnownCheck = SuiteCheck & { nodeId: string };

function OneCheck({
  nodeId,
  continueOnFail,
  ...check
}: KnownCheck & { continueOnFail: boolean }): WorkflowElement {
  const { agent, command, run, label = check.id } = check;
  // Whether or not a check may break down: more attempts than this tell nothing new about what it checks.
  const retries = agent === undefined ? 0 : Math.max(1, Array.isArray(agent) ? agent.length - 1 : 1);
  const task = {
    id: nodeId,
    output: COMPOSITE_ROWS,
    outputSchema: checkRow(),
    label,
    continueOnFail,
    retries,
  };
  if (agent !== undefined) {
    return (
      <Task {...task} agent={agent}>
        {check.prompt ?? `Carry out this check, and say whether it passes: ${label}`}
      </Task>
    );
  }
  if (run !== undefined) return <Task {...task}>{run}</Task>;
  return (
    <Task {...task} cache={false}>
      {async () => {
        const result = await runShellCommand(command as string);
        return { passed: result.exitCode === 0, ...result };
      }}
    </Task>
  );
}

/** The answers of a check. A row without a verdict is refused: the check would pass without a look. */
const checkRow = once(() =>
  z
    .looseObject({
      passed: z.boolean().optional().describe("Whether the check passes."),
      reason: z.string().nullish().describe("Why, in a sentence."),
    })
    .refine((row) => ["passed", "ok", "failed", "error"].some((field) => row[field] !== undefined), {
      path: ["passed"],
      message: "must be true or false",
    }),
);

function listed(composite: Composite, checks: CheckSuiteProps["checks"]): SuiteCheck[] {
  if (Array.isArray(checks)) {
    const list: readonly SuiteCheck[] = checks;
    checkItems(composite, { prop: "checks", list, rules: CHECK, known: "id" });
    for (const [index, check] of list.entries()) checkWay(composite, `checks[${index}]`, check);
    return [...list];
  }
  return Object.entries(checks).map(([id, check]) => {
    const prop = `checks.${id}`;
    if (!CHECK_ID.fits(id)) throw wrongProp(composite, { prop, value: check, expected: CHECK_ID.expected });
    checkItem(composite, { prop, item: check, rules: KEYED_CHECK });
    checkWay(composite, prop, check);
    return { ...check, id };
  });
}

function checkWay(composite: Composite, prop: string, check: Omit<SuiteCheck, "id">): void {
  const ways = [check.agent, check.command, check.run].filter((way) => way !== undefined);
  if (ways.length === 1) return;
  throw wrongProp(composite, {
    prop,
    value: check,
    expected: "a check with exactly one of agent, command and run",
  });
}

function verdictOf(
  strategy: SuiteVerdict["strategy"],
  checks: readonly KnownCheck[],
  rows: Readonly<Record<string, unknown>>,
): SuiteVerdict {
  const results = Object.fromEntries(checks.map(({ id, nodeId }) => [id, hasPassed(rows[nodeId])]));
  const total = checks.length;
  const passCount = Object.values(results).filter(Boolean).length;
  const needed = { "all-pass": total, majority: Math.floor(total / 2) + 1, "any-pass": 1 }[strategy];
  return { passed: passCount >= needed, passCount, total, strategy, results };
}

/** A check that broke down has no row. */
function hasPassed(row: unknown): boolean {
  if (typeof row !== "object" || row === null) return false;
  const { passed, ok, failed, error } = row as Readonly<Record<string, unknown>>;
  return passed !== false && ok !== false && failed !== true && (error ?? false) === false;
}
