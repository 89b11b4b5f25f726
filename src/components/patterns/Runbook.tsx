import type { ZodObject } from "zod";
import type { AgentInput } from "../../model/agent.js";
import type { ApprovalRequest } from "../../model/approval.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import {
  checked,
  flag,
  name,
  oneOf,
  required,
  withDefault,
  type Checked,
} from "../../options/option-rules.js";
import { ServiceError } from "../../errors/service-error.js";
import type { WorkflowElement } from "../../util/element.js";
import { isPlainObject } from "../../util/same-data.js";
import { Sequence } from "../structure/Sequence.js";
import { Approval } from "../tasks/Approval.js";
import { Task } from "../tasks/Task.js";
import { useRenderPlace } from "../render-place.js";
import { checkItems, type ItemRules } from "./check-items.js";
import {
  agent,
  checkProps,
  nonEmptyList,
  optionalOutput,
  output,
  type PropRules,
  shellLine,
} from "./check-props.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";
import { runShellCommand } from "./run-command.js";
import type { TakesRow } from "./takes-row.js";
import { wrongProp } from "./wrong-prop.js";

/** A step of a `Runbook`: a command, or work for an agent. */
export interface RunbookStep<S extends SchemaMap = SchemaMap> {
  /** Names it in its nodes `<runbook>-<id>` and `<runbook>-<id>-approval`. */
  id: string;
  /** Carries the step out; of a step with a `command` too, which is then the instruction. @default `defaultAgent`, where there is no command */
  agent?: AgentInput | readonly AgentInput[];
  /** Shell line for the built-in `bash` tool; with an `agent` of the step, what that is asked to do. */
  command?: string;
  /** `safe` runs at once; the others only after a person's approval, which `critical` marks as elevated. */
  risk: "safe" | "risky" | "critical";
  /** A description of the step. @default the id */
  label?: string;
  /** Takes the step's row. @default `stepOutput` */
  output?: OutputTarget<S>;
}

/** Props of `Runbook`. */
export interface RunbookProps<
  S extends SchemaMap = SchemaMap,
  T = OutputTarget<S>,
  Steps = readonly RunbookStep<S>[],
> {
  /** Prefix of the ids `<id>-<step>` and `<id>-<step>-approval`. @default "runbook" */
  id?: string;
  /** One after the other. */
  steps: Steps;
  /** Carries out the steps that have neither a command nor an agent: one agent, or a chain. */
  defaultAgent?: AgentInput | readonly AgentInput[];
  /** Takes the rows of the steps; of a command `{step, command, exitCode, output}`, or the part that it has fields for. */
  stepOutput: T;
  /** The request to people, in place of the step's own. @default made of the step */
  approvalRequest?: Partial<ApprovalRequest>;
  /** A step that is denied fails the run, or is skipped and the next one begins. @default "fail" */
  onDeny?: "fail" | "skip";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

/** Row of a step that is a command. */
type CommandStepRow = { step: string; command: string; exitCode: number; output: string };

/** Steps that the shell carries out, and that write to the output of the runbook. */
type UsesStepOutput<Steps extends readonly unknown[]> =
  Extract<Steps[number], { command: string }> extends infer Step
    ? Step extends { agent: object } | { output: unknown }
      ? never
      : Step
    : never;

/** Nothing for steps whose own outputs take the rows of their commands; nothing is known of a list that varies. */
type StepsFit<S extends SchemaMap, Steps extends readonly unknown[]> = number extends Steps["length"]
  ? unknown
  : {
      readonly [K in keyof Steps]: Steps[K] extends { agent: object }
        ? unknown
        : Steps[K] extends { command: string; output: infer T }
          ? { output: T & TakesRow<S, T, CommandStepRow> }
          : unknown;
    };

/** Nothing for an output that takes the rows of the commands, or of none. */
type TakesCommands<S extends SchemaMap, T, Steps extends readonly unknown[]> = [
  UsesStepOutput<Steps>,
] extends [never]
  ? unknown
  : TakesRow<S, T, CommandStepRow>;

/** `Runbook`, typed by the module's schemas. */
export type RunbookComponent<S extends SchemaMap = SchemaMap> = <
  const T extends OutputTarget<S>,
  const Steps extends readonly RunbookStep<S>[],
>(
  props: RunbookProps<S, T & TakesCommands<S, T, Steps>, Steps & StepsFit<S, Steps>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "runbook"),
  steps: required(nonEmptyList),
  defaultAgent: agent,
  stepOutput: output,
  approvalRequest: checked("an object with title, summary and metadata, or some of them", isPlainObject),
  onDeny: withDefault(oneOf(["fail", "skip"]), "fail"),
  skipIf: withDefault(flag, false),
} satisfies PropRules<RunbookProps>;

const STEP: ItemRules<RunbookStep> = {
  what: "a step",
  fields: {
    id: required(name),
    agent,
    command: shellLine,
    risk: required(oneOf(["safe", "risky", "critical"])),
    label: name,
    output: optionalOutput,
  },
};

/**
 * Steps one after the other; risky ones wait for a person.
 * @example
 * <Runbook
 *   steps={[
 *     { id: "drain", command: "./drain.sh", risk: "safe" },
 *     { id: "upgrade", command: "./upgrade.sh", risk: "critical" },
 *   ]}
 *   stepOutput={outputs.step}
 * />
 * @see `docs/components/runbook.md`
 */
export const Runbook = ((given: RunbookProps): WorkflowElement => {
  const { composite, props } = checkProps("Runbook", given, RULES);
  const { steps, defaultAgent } = props;
  checkItems(composite, { prop: "steps", list: steps, rules: STEP, known: "id" });
  for (const [index, step] of steps.entries()) {
    if (step.agent !== undefined || step.command !== undefined || defaultAgent !== undefined) continue;
    const expected = "a step with a command or an agent, or a defaultAgent for it";
    throw wrongProp(composite, { prop: `steps[${index}]`, value: step, expected });
  }
  const { schemaOf } = useRenderPlace("<Runbook>");
  for (const [index, step] of steps.entries()) {
    if (step.command === undefined || step.agent !== undefined) continue;
    const problems = mismatchesOf(schemaOf(step.output ?? props.stepOutput), step.id, step.command);
    if (problems.length === 0) continue;
    throw wrongProp(composite, {
      prop: step.output === undefined ? "stepOutput" : `steps[${index}].output`,
      value: step.output ?? props.stepOutput,
      expected: `an output that takes {step, command, exitCode, output} of the command of step ${JSON.stringify(step.id)} (${problems.join("; ")})`,
    });
  }
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      {steps.map((step) => (
        <OneStep key={step.id} {...props} step={step} />
      ))}
    </Sequence>,
  );
}) as RunbookComponent;

type StepProps = Checked<RunbookProps, typeof RULES> & { step: RunbookStep };

/** A sequence of its own: a denial takes with it what comes after it there, and nothing else. */
function OneStep(props: StepProps): WorkflowElement {
  const { id, step, approvalRequest, onDeny } = props;
  if (step.risk === "safe") return <Work {...props} />;
  const { label = step.id, risk, command } = step;
  const what = command === undefined ? label : `${label}: ${command}`;
  return (
    <Sequence>
      <Approval
        id={itemId(id, `${step.id}-approval`)}
        output={COMPOSITE_ROWS}
        request={{
          title: `Approve the ${risk} step ${label}?`,
          summary: what,
          ...approvalRequest,
          metadata: {
            ...approvalRequest?.metadata,
            step: step.id,
            risk,
            ...(risk === "critical" && { elevated: true }),
          },
        }}
        onDeny={onDeny}
        label={`Approve: ${label}`}
      />
      <Work {...props} />
    </Sequence>
  );
}

function Work({ id, step, stepOutput, defaultAgent }: StepProps): WorkflowElement {
  const { command, risk, label = step.id, output = stepOutput } = step;
  const task = { id: itemId(id, step.id), output, label, meta: { risk } };
  if (command !== undefined && step.agent === undefined) {
    return (
      // Whether a command that failed may be given again is for people to say.
      <Task {...task} noRetry cache={false}>
        {async () => commandRow(step.id, command)}
      </Task>
    );
  }
  return (
    <Task {...task} agent={(step.agent ?? defaultAgent) as AgentInput}>
      {command ?? `Carry out this step: ${label}`}
    </Task>
  );
}

/**
 * Why a schema cannot take the row of a command that succeeds; known before one runs, as its effects would be lost
 * with the row. Rules about the texts themselves are left to the row.
 */
function mismatchesOf(schema: ZodObject | undefined, step: string, command: string): string[] {
  try {
    const row: CommandStepRow = { step, command, exitCode: 0, output: "" };
    const issues = schema?.safeParse(row).error?.issues ?? [];
    return issues
      .filter(
        ({ code }) =>
          code === "invalid_type" ||
          code === "invalid_value" ||
          code === "unrecognized_keys" ||
          code === "invalid_union",
      )
      .map(({ path, message }) => `${path.join(".") || "(row)"}: ${message}`);
  } catch {
    // A schema that has to wait for something tells nothing at once.
    return [];
  }
}

async function commandRow(step: string, command: string): Promise<Record<string, unknown>> {
  const row = await runShellCommand(command);
  if (row.exitCode === 0) return { step, ...row };
  throw new ServiceError(
    "TOOL_COMMAND_FAILED",
    `The command of step ${JSON.stringify(step)} ${row.exitCode === null ? "did not come to its end" : `ended with exit code ${row.exitCode}`}. It printed:\n${row.output}`,
    { details: { step, ...row } },
  );
}
