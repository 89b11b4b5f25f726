import type { AgentInput } from "../../model/agent.js";
import type { ApprovalRequest } from "../../model/approval.js";
import { approvalDecision } from "../../model/approval-rows.js";
import type { Composite } from "../../model/composite.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputRow, OutputTarget, RowOfTarget, SchemaMap } from "../../model/schema.js";
import {
  anything,
  callback,
  flag,
  name,
  record,
  required,
  withDefault,
  type Checked,
} from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Branch } from "../structure/Branch.js";
import { Sequence } from "../structure/Sequence.js";
import { Approval } from "../tasks/Approval.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { bookkeeping } from "./bookkeeping.js";
import { checkItems, type ItemRules } from "./check-items.js";
import { agent, checkProps, nonEmptyList, output, type PropRules } from "./check-props.js";
import type { HoldsFields } from "./holds-fields.js";
import { partsOf } from "./parts-of.js";
import { jsonSection, taskText } from "./prompt-parts.js";
import { isFlag, readField } from "./read-field.js";
import type { TakesRow } from "./takes-row.js";
import { useNeededField } from "./use-answer-schema.js";
import { useFailure } from "./use-failure.js";
import { reasonsOf, withReason } from "./with-reason.js";
import { wrongProp } from "./wrong-prop.js";

/** One level of a chain. */
export interface EscalationLevel<S extends SchemaMap = SchemaMap, T = OutputTarget<S>> {
  /** Tries it: one agent, or a chain. */
  agent: AgentInput | readonly AgentInput[];
  /** Takes its row. */
  output: T;
  /** Shown instead of the id; part of the prompts of the levels above. @default `level ` and its number */
  label?: string;
  /**
   * Whether its row has to be taken to the next level. A level that fails always is.
   * @default a row that has an `error`, says `failed: true`, or `ok: false`
   */
  escalateIf?(row: OutputRow<RowOfTarget<S, T>>): boolean;
}

/** The row that is written after each level: `toLevel` is the next one, or the same where its row stands. */
export type EscalationCheck = {
  /** Whether the next level is asked. */
  escalated: boolean;
  /** Level that answered, from 0. */
  fromLevel: number;
  /** Level whose turn it is, from 0. */
  toLevel: number;
};

/** Props of `EscalationChain`. */
export interface EscalationChainProps<
  S extends SchemaMap = SchemaMap,
  L extends readonly unknown[] = readonly OutputTarget<S>[],
  E = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-level-<n>`, `<id>-check-<n>` and `<id>-human-fallback`. @default "escalation" */
  id?: string;
  /** From the first that tries it to the last. */
  levels: { readonly [K in keyof L]: EscalationLevel<S, L[K]> };
  /** Ask a person to decide when no level's row stands. @default whether there is a `humanRequest` */
  humanFallback?: boolean;
  /** The request to the person. @default that no level of the chain has settled it */
  humanRequest?: ApprovalRequest;
  /** Takes, after each level, `{escalated, fromLevel, toLevel}`. */
  escalationOutput: E;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The problem to be solved. */
  children?: WorkflowNode;
}

/** `EscalationChain`, typed by the module's schemas. */
export type EscalationChainComponent<S extends SchemaMap = SchemaMap> = <
  const L extends readonly OutputTarget<S>[],
  const E extends OutputTarget<S>,
>(
  props: EscalationChainProps<
    S,
    L,
    E & TakesRow<S, E, EscalationCheck> & HoldsFields<S, E, { escalated: boolean }>
  >,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "escalation"),
  levels: required(nonEmptyList),
  humanFallback: flag,
  humanRequest: record,
  escalationOutput: output,
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<EscalationChainProps>;

const LEVEL: ItemRules<EscalationLevel> = {
  what: "a level",
  fields: { agent: required(agent), output, label: name, escalateIf: callback },
};

const ESCALATED = { prop: "escalationOutput", field: "escalated", ...isFlag };

/**
 * Asks one level after the other until a row stands, at last a person.
 * @example
 * <EscalationChain
 *   levels={[
 *     { agent: coder, output: outputs.check, escalateIf: (row) => !row.satisfied },
 *     { agent: [reviewer, lawyer], output: outputs.check, label: "the experts" },
 *   ]}
 *   escalationOutput={outputs.escalation}
 *   humanRequest={{ title: "Take it over?" }}
 * >
 *   Settle the customer's complaint.
 * </EscalationChain>
 * @see `docs/components/escalation-chain.md`
 */
export const EscalationChain = ((given: EscalationChainProps): WorkflowElement => {
  const { composite, props } = checkProps("EscalationChain", given, RULES);
  const { id, levels, humanRequest, humanFallback = humanRequest !== undefined } = props;
  checkItems(composite, { prop: "levels", list: levels, rules: LEVEL });
  const placed = levels.map((_level, index) => ({ index, key: `${id}-level-${index}` }));
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      {placed.map(({ index, key }) => (
        <Level
          key={key}
          {...props}
          index={index}
          composite={composite}
          isLast={index === levels.length - 1 && !humanFallback}
        />
      ))}
      {humanFallback ? <HumanFallback {...props} composite={composite} /> : null}
    </Sequence>,
  );
}) as EscalationChainComponent;

type Inside = Checked<EscalationChainProps, typeof RULES> & { composite: Composite };
type LevelProps = Inside & { index: number; isLast: boolean };

/** One level and its check, once the level before has escalated. */
function Level(props: LevelProps): WorkflowElement {
  const { id, index, levels, isLast, escalationOutput } = props;
  const level = levels[index] as EscalationLevel;
  const ctx = useCtx();
  const failure = useFailure();
  const nodeId = `${id}-level-${index}`;
  const isReached = useEscalated(props, index - 1);
  const checkSchema = useNeededField(escalationOutput, ESCALATED);
  const parts = (
    <Sequence>
      {/* Without a next level or person, a failure is one of the run. */}
      <Task
        id={nodeId}
        output={level.output}
        agent={level.agent}
        label={labelOf(level, index)}
        continueOnFail={!isLast}
      >
        {taskText(props.children)}
        {levels.slice(0, index).map((before, at) => {
          const node = { nodeId: `${id}-level-${at}` };
          return jsonSection(
            `${labelOf(before, at)} has not settled it`,
            ctx.outputMaybe(before.output, node) ?? withReason("it failed", failure(node.nodeId)),
          );
        })}
      </Task>
      <Task
        {...bookkeeping()}
        id={`${id}-check-${index}`}
        output={escalationOutput}
        {...checkSchema}
        needs={{ row: nodeId }}
        cache={false}
      >
        {({ row }) => checkOf(props, row as OutputRow | undefined)}
      </Task>
    </Sequence>
  );
  return index === 0 ? parts : <Branch if={isReached} then={parts} />;
}

/** Asks a person, once the last level has escalated too. A denial is an answer. */
function HumanFallback(props: Inside): WorkflowElement {
  const { id, levels, humanRequest } = props;
  const asked = levels.map((level, index) => ({
    name: labelOf(level, index),
    nodeId: `${id}-level-${index}`,
  }));
  const reasons = reasonsOf(asked, useFailure());
  return (
    <Branch
      if={useEscalated(props, levels.length - 1)}
      then={
        <Approval
          id={`${id}-human-fallback`}
          output={COMPOSITE_ROWS}
          outputSchema={approvalDecision}
          request={
            humanRequest ?? {
              title: `No level of ${id} has settled it. Is it settled now?`,
              ...(reasons !== undefined && { metadata: { failed: reasons } }),
            }
          }
          onDeny="continue"
        />
      }
    />
  );
}

/** Whether a level has handed over to the next one; the first level always runs. */
function useEscalated({ id, composite, escalationOutput }: Inside, index: number): boolean {
  const row = useCtx().outputMaybe(escalationOutput, { nodeId: `${id}-check-${index}` });
  return index < 0 || (row !== undefined && readField(composite, row, ESCALATED));
}

function checkOf({ levels, index, composite }: LevelProps, row: OutputRow | undefined): EscalationCheck {
  const { escalateIf = looksFailed } = levels[index] as EscalationLevel;
  const escalated: unknown = row === undefined || escalateIf(row);
  if (typeof escalated !== "boolean") {
    const prop = `levels[${index}].escalateIf`;
    throw wrongProp(composite, {
      prop,
      value: escalateIf,
      expected: "a function that answers true or false at once",
    });
  }
  return { escalated, fromLevel: index, toLevel: escalated ? index + 1 : index };
}

function looksFailed(row: Readonly<Record<string, unknown>>): boolean {
  const { error, failed, ok } = row;
  return (error !== undefined && error !== null && error !== false) || failed === true || ok === false;
}

function labelOf({ label }: EscalationLevel, index: number): string {
  return label ?? `level ${index}`;
}
