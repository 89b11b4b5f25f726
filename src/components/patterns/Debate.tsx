import type { AgentInput } from "../../model/agent.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import { type Checked, flag, name, required, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Loop } from "../structure/Loop.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { agent, checkProps, concurrency, output, type PropRules } from "./check-props.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";

/** Props of `Debate`. */
export interface DebateProps<S extends SchemaMap = SchemaMap, A = OutputTarget<S>, V = OutputTarget<S>> {
  /** Prefix of the ids `<id>-loop`, `<id>-proposer`, `<id>-opponent` and `<id>-judge`. @default "debate" */
  id?: string;
  /** Argues for it: one agent, or a chain. */
  proposer: AgentInput | readonly AgentInput[];
  /** Argues against it: one agent, or a chain. */
  opponent: AgentInput | readonly AgentInput[];
  /** Decides after the last round: one agent, or a chain. */
  judge: AgentInput | readonly AgentInput[];
  /** Rounds, in each of which both sides argue at the same time. @default 2 */
  rounds?: number;
  /** Takes the arguments of both sides. */
  argumentOutput: A;
  /** Takes the judge's row. */
  verdictOutput: V;
  /** The topic of the debate. */
  topic: string;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
}

/** `Debate`, typed by the module's schemas. */
export type DebateComponent<S extends SchemaMap = SchemaMap> = <
  const A extends OutputTarget<S>,
  const V extends OutputTarget<S>,
>(
  props: DebateProps<S, A, V>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "debate"),
  proposer: required(agent),
  opponent: required(agent),
  judge: required(agent),
  rounds: withDefault(concurrency, 2),
  argumentOutput: output,
  verdictOutput: output,
  topic: required(name),
  skipIf: withDefault(flag, false),
} satisfies PropRules<DebateProps>;

const STANCES = { proposer: "for", opponent: "against" } as const;
const SIDES = ["proposer", "opponent"] as const;

/**
 * Two sides argue for some rounds, each seeing all earlier arguments; then a judge, who has seen everything, decides.
 * @example
 * <Debate
 *   proposer={coder}
 *   opponent={reviewer}
 *   judge={lawyer}
 *   topic="The service is to be rewritten."
 *   argumentOutput={outputs.draft}
 *   verdictOutput={outputs.report}
 * />
 * @see `docs/components/debate.md`
 */
export const Debate = ((given: DebateProps): WorkflowElement => {
  const { composite, props } = checkProps("Debate", given, RULES);
  const { id, rounds, judge, verdictOutput, topic } = props;
  const round = useCtx().iterations[`${id}-loop`] ?? 0;
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Loop id={`${id}-loop`} until={round >= rounds - 1} maxIterations={rounds}>
        <DebateRound {...props} />
      </Loop>
      <Task id={`${id}-judge`} output={verdictOutput} agent={judge}>
        <p>Judge this debate by its arguments.</p>
        <h2>Topic</h2>
        <blockquote>{topic}</blockquote>
        {useTranscript(props, { id, rounds })}
      </Task>
    </Sequence>,
  );
}) as DebateComponent;

/** Both sides once. Inside the loop, so that `ctx.iteration` is the round. */
function DebateRound(props: Checked<DebateProps, typeof RULES>): WorkflowElement {
  const { id, topic, argumentOutput } = props;
  const { iteration } = useCtx();
  const earlier = useTranscript(props, { id, rounds: iteration });
  return (
    <Parallel>
      {SIDES.map((side) => (
        <Task key={side} id={`${id}-${side}`} output={argumentOutput} agent={props[side]}>
          <p>
            {iteration === 0
              ? `You argue ${STANCES[side]} this topic.`
              : `You argue ${STANCES[side]} this topic, and answer what the other side has said.`}
          </p>
          <h2>Topic</h2>
          <blockquote>{topic}</blockquote>
          {earlier}
        </Task>
      ))}
    </Parallel>
  );
}

/** The arguments of both sides in the first rounds. */
function useTranscript(
  { argumentOutput }: DebateProps,
  { id, rounds }: { id: string; rounds: number },
): WorkflowNode[] {
  const ctx = useCtx();
  return Array.from({ length: rounds }, (_, iteration) =>
    SIDES.map((side) =>
      jsonSection(
        `Round ${iteration + 1}, ${STANCES[side]}`,
        ctx.outputMaybe(argumentOutput, { nodeId: `${id}-${side}`, iteration }),
      ),
    ),
  ).flat();
}
