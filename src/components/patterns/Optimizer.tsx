import type { AgentInput } from "../../model/agent.js";
import type { Composite } from "../../model/composite.js";
import type { OutputRow, OutputTarget, ReturnOfTarget, RowOfTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import {
  type Checked,
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
import { Loop } from "../structure/Loop.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { agent, checkProps, limit, output, type PropRules } from "./check-props.js";
import type { HoldsFields } from "./holds-fields.js";
import { partsOf } from "./parts-of.js";
import { jsonSection, quotedTask, taskText } from "./prompt-parts.js";
import { isNumber, readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";

/** Props of `Optimizer`. */
export interface OptimizerProps<S extends SchemaMap = SchemaMap, G = OutputTarget<S>, E = OutputTarget<S>> {
  /** Id of the loop, and prefix of `<id>-generate` and `<id>-evaluate`. @default "optimizer" */
  id?: string;
  /** Makes the candidates: one agent, or a chain. */
  generator: AgentInput | readonly AgentInput[];
  /** Scores them: one agent, or a chain, or a function of the candidate. */
  evaluator:
    | AgentInput
    | readonly AgentInput[]
    | ((
        inputs: { candidate: OutputRow<RowOfTarget<S, G>> },
        runtime: TaskRuntime,
      ) => ReturnOfTarget<S, E> | Promise<ReturnOfTarget<S, E>>);
  /** Takes the candidates. */
  generateOutput: G;
  /** Takes the evaluations; `score` in them is the higher the better. */
  evaluateOutput: E;
  /** A score that is good enough: it ends the loop. @default none, so that every round takes place */
  targetScore?: number;
  /** Rounds at most. @default 10 */
  maxIterations?: number;
  /** The result of `maxIterations` iterations below the target. @default "return-last" */
  onMaxReached?: "fail" | "return-last";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The task of the generator; an agent that evaluates sees it too. */
  children?: WorkflowNode;
}

/** `Optimizer`, typed by the module's schemas. */
export type OptimizerComponent<S extends SchemaMap = SchemaMap> = <
  const G extends OutputTarget<S>,
  const E extends OutputTarget<S>,
>(
  props: OptimizerProps<S, G, E & HoldsFields<S, E, { score: number }>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "optimizer"),
  generator: required(agent),
  evaluator: required(
    checked(
      "a function, an agent (an object with generate()) or a non-empty list of agents",
      (value) => callback.fits(value) || agent.fits(value),
    ),
  ),
  generateOutput: output,
  evaluateOutput: output,
  targetScore: checked("a number", Number.isFinite),
  maxIterations: withDefault(limit, 10),
  onMaxReached: withDefault(oneOf(["fail", "return-last"]), "return-last"),
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<OptimizerProps>;

const SCORE = { prop: "evaluateOutput", field: "score", ...isNumber };

/**
 * Generates and scores, round after round, until the score is good enough.
 * @example
 * <Optimizer
 *   generator={writer}
 *   evaluator={({ candidate }) => ({ score: 100 - candidate.text.length })}
 *   generateOutput={outputs.draft}
 *   evaluateOutput={outputs.score}
 *   targetScore={60}
 * >
 *   Write a slogan for a weaving mill.
 * </Optimizer>
 * @see `docs/components/optimizer.md`
 */
export const Optimizer = ((given: OptimizerProps): WorkflowElement => {
  const { composite, props } = checkProps("Optimizer", given, RULES);
  const { id, evaluateOutput, targetScore, maxIterations } = props;
  const row = useCtx().outputMaybe(evaluateOutput, { nodeId: `${id}-evaluate` });
  const score = row === undefined ? undefined : readField(composite, row, SCORE);
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Loop
        id={id}
        until={score !== undefined && targetScore !== undefined && score >= targetScore}
        maxIterations={maxIterations}
        onMaxReached={props.onMaxReached}
      >
        <OptimizerRound {...props} composite={composite} />
      </Loop>
    </Sequence>,
  );
}) as OptimizerComponent;

/** One candidate and its evaluation. Inside the loop, so that rows without an iteration are those of this round. */
function OptimizerRound(
  props: Checked<OptimizerProps, typeof RULES> & { composite: Composite },
): WorkflowElement {
  const { id, generator, evaluator, generateOutput, evaluateOutput, targetScore, children } = props;
  const ctx = useCtx();
  const generate = `${id}-generate`;
  const evaluate = { id: `${id}-evaluate`, output: evaluateOutput, ...useNeededField(evaluateOutput, SCORE) };
  const { last, best } = earlierRounds(props);
  return (
    <Sequence>
      <Task id={generate} output={generateOutput} agent={generator}>
        {taskText(children)}
        {last === undefined ? null : <p>Make a better one than these.{goalText(targetScore)}</p>}
        {best === last ? null : jsonSection("The best result so far, with its evaluation", best)}
        {jsonSection("Your last result, with its evaluation", last)}
      </Task>
      {typeof evaluator === "function" ? (
        <Task {...evaluate} deps={{ candidate: generateOutput }} needs={{ candidate: generate }}>
          {evaluator}
        </Task>
      ) : (
        <Task {...evaluate} agent={evaluator}>
          <p>Score the result of this task: the better, the higher.{goalText(targetScore)}</p>
          {quotedTask("Task", children)}
          {jsonSection("Result", ctx.outputMaybe(generateOutput, { nodeId: generate }))}
        </Task>
      )}
    </Sequence>
  );
}

function goalText(targetScore: number | undefined): string {
  return targetScore === undefined ? "" : ` A score of ${targetScore} or more is good enough.`;
}

/** The last candidate and the best one, each with its evaluation; of equal scores the first one counts. */
function earlierRounds({
  id,
  composite,
  generateOutput,
  evaluateOutput,
}: Parameters<typeof OptimizerRound>[0]) {
  const ctx = useCtx();
  let best: { result: unknown; evaluation: unknown } | undefined;
  let last: typeof best;
  let highest = Number.NEGATIVE_INFINITY;
  for (let iteration = 0; iteration < ctx.iteration; iteration += 1) {
    const result = ctx.outputMaybe(generateOutput, { nodeId: `${id}-generate`, iteration });
    const evaluation = ctx.outputMaybe(evaluateOutput, { nodeId: `${id}-evaluate`, iteration });
    if (result === undefined || evaluation === undefined) continue;
    last = { result, evaluation };
    const score = readField(composite, evaluation, SCORE);
    if (best !== undefined && score <= highest) continue;
    best = last;
    highest = score;
  }
  return { last, best };
}
