import { type AgentInput, isAgent } from "../../model/agent.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import {
  type Checked,
  anything,
  checked,
  flag,
  name,
  oneOf,
  required,
  withDefault,
} from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Loop } from "../structure/Loop.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { agent, checkProps, isAgentOrChain, limit, output, type PropRules } from "./check-props.js";
import type { HoldsFields } from "./holds-fields.js";
import { partsOf } from "./parts-of.js";
import { jsonSection, quotedTask, taskText } from "./prompt-parts.js";
import { isFlag, readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";

/** Props of `ReviewLoop`. */
export interface ReviewLoopProps<S extends SchemaMap = SchemaMap, P = OutputTarget<S>, R = OutputTarget<S>> {
  /** Id of the loop, and prefix of `<id>-produce` and `<id>-review`. @default "review-loop" */
  id?: string;
  /** Does the work: one agent, or a chain. */
  producer: AgentInput | readonly AgentInput[];
  /** Judges it: one agent, or a list of reviewers that all have to approve, each an agent or a chain. */
  reviewer: AgentInput | readonly (AgentInput | readonly AgentInput[])[];
  /** Takes the producer's rows. */
  produceOutput: P;
  /** Takes the reviewers' rows; `approved: true` in all of a round ends the loop. */
  reviewOutput: R;
  /** Rounds at most. @default 5 */
  maxIterations?: number;
  /** The result of `maxIterations` iterations without an approval. @default "return-last" */
  onMaxReached?: "fail" | "return-last";
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The task of the producer; the reviewers see it too. */
  children?: WorkflowNode;
}

/** `ReviewLoop`, typed by the module's schemas. */
export type ReviewLoopComponent<S extends SchemaMap = SchemaMap> = <
  const P extends OutputTarget<S>,
  const R extends OutputTarget<S>,
>(
  props: ReviewLoopProps<S, P, R & HoldsFields<S, R, { approved: boolean }>>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "review-loop"),
  producer: required(agent),
  reviewer: required(
    checked(
      "an agent (an object with generate()) or a non-empty list of reviewers",
      (value) => isAgent(value) || (Array.isArray(value) && value.length > 0 && value.every(isAgentOrChain)),
    ),
  ),
  produceOutput: output,
  reviewOutput: output,
  maxIterations: withDefault(limit, 5),
  onMaxReached: withDefault(oneOf(["fail", "return-last"]), "return-last"),
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<ReviewLoopProps>;

const APPROVED = { prop: "reviewOutput", field: "approved", ...isFlag };

/**
 * Produces and reviews, round after round, until every reviewer approves.
 * @example
 * <ReviewLoop producer={writer} reviewer={[editor, lawyer]} produceOutput={outputs.draft} reviewOutput={outputs.review}>
 *   Write the press release.
 * </ReviewLoop>
 * @see `docs/components/review-loop.md`
 */
export const ReviewLoop = ((given: ReviewLoopProps): WorkflowElement => {
  const { composite, props } = checkProps("ReviewLoop", given, RULES);
  const { id, reviewOutput, maxIterations, onMaxReached } = props;
  const ctx = useCtx();
  const approved = reviewsOf(id, props).every(({ nodeId }) => {
    const row = ctx.outputMaybe(reviewOutput, { nodeId });
    return row !== undefined && readField(composite, row, APPROVED);
  });
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Loop id={id} until={approved} maxIterations={maxIterations} onMaxReached={onMaxReached}>
        <ReviewRound {...props} />
      </Loop>
    </Sequence>,
  );
}) as ReviewLoopComponent;

/** One production and its reviews. Inside the loop, so that rows without an iteration are those of this round. */
function ReviewRound(props: Checked<ReviewLoopProps, typeof RULES>): WorkflowElement {
  const { id, producer, produceOutput, reviewOutput, children } = props;
  const ctx = useCtx();
  const produce = `${id}-produce`;
  const reviews = reviewsOf(id, props);
  const reviewSchema = useNeededField(reviewOutput, APPROVED);
  const previous = { iteration: ctx.iteration - 1 };
  const rejected = reviews.map(({ nodeId }) => ctx.outputMaybe(reviewOutput, { nodeId, ...previous }));
  return (
    <Sequence>
      <Task id={produce} output={produceOutput} agent={producer}>
        {taskText(children)}
        {jsonSection(
          "Your previous result",
          ctx.outputMaybe(produceOutput, { nodeId: produce, ...previous }),
        )}
        {rejected.map((row, index) =>
          jsonSection(reviews.length === 1 ? "Its review" : `Review ${index + 1} of it`, row),
        )}
      </Task>
      <Parallel>
        {reviews.map(({ nodeId, agent }) => (
          <Task key={nodeId} id={nodeId} output={reviewOutput} {...reviewSchema} agent={agent}>
            <p>Review the result of this task. Approve it only if nothing has to be changed.</p>
            {quotedTask("Task", children)}
            {jsonSection("Result", ctx.outputMaybe(produceOutput, { nodeId: produce }))}
          </Task>
        ))}
      </Parallel>
    </Sequence>
  );
}

function reviewsOf(id: string, { reviewer }: Pick<ReviewLoopProps, "reviewer">) {
  const reviewers = isAgent(reviewer) ? [reviewer] : reviewer;
  return reviewers.map((agent, index) => ({
    nodeId: reviewers.length === 1 ? `${id}-review` : `${id}-review-${index}`,
    agent,
  }));
}
