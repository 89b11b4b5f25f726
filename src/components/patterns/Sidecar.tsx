import { isValidElement } from "react";
import { z } from "zod";
import type { AgentInput } from "../../model/agent.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import type { ScorersMap, TaskScore } from "../../model/scorer.js";
import { anything, checked, flag, name, required, text, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { once } from "../../util/once.js";
import { isPlainObject } from "../../util/same-data.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { bookkeeping } from "./bookkeeping.js";
import { agent, checkProps, concurrency, output, type PropRules } from "./check-props.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";
import { wrongProp } from "./wrong-prop.js";

/** How the two sides compare. */
export type SidecarDelta = {
  /** Mean of the primary's scores; null without any. */
  primaryScore: number | null;
  /** Mean of the sidecar's scores; null without any. */
  sidecarScore: number | null;
  /** The primary's lead: `primaryScore - sidecarScore`; null where one is missing. */
  delta: number | null;
  /** The sidecar is as good as the primary, or better. */
  cheaperWins: boolean;
};

/** Props of `Sidecar`. */
export interface SidecarProps<S extends SchemaMap = SchemaMap, T = OutputTarget<S>, U = OutputTarget<S>> {
  /** Id of the primary's task, and prefix of `<id>-parallel`, `<id>-sidecar` and `<id>-delta`. @default "sidecar" */
  id?: string;
  /** The primary, whose row counts: one agent, or a chain. */
  agent: AgentInput | readonly AgentInput[];
  /** Does the same beside it, for comparison: one agent, or a chain. */
  sidecar: AgentInput | readonly AgentInput[];
  /** Takes the primary's row. */
  output: T;
  /** Takes the sidecar's row. @default `output` */
  sidecarOutput?: U;
  /** Score both sides, see docs/scorers.md; the delta is made of their scores. @default no scores, and no delta */
  scorers?: ScorersMap;
  /** The prompt of both. */
  prompt?: WorkflowNode;
  /** The subject; follows the prompt, data as JSON. @default nothing */
  input?: WorkflowNode | Readonly<Record<string, unknown>> | readonly unknown[];
  /** 1 lets the sidecar wait for the primary. @default 2 */
  maxConcurrency?: number;
  /** The expected output, for scorers without one of their own. Plain JSON. @default none */
  groundTruth?: unknown;
  /** The material that the output has to keep to, for scorers without one of their own. Plain JSON. @default none */
  context?: unknown;
  /** Shown instead of the primary's id. @default the id */
  primaryLabel?: string;
  /** Shown instead of the sidecar's id. @default the id */
  sidecarLabel?: string;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The rest of both prompts, after prompt and input. */
  children?: WorkflowNode;
}

/** `Sidecar`, typed by the module's schemas. */
export type SidecarComponent<S extends SchemaMap = SchemaMap> = <
  const T extends OutputTarget<S>,
  const U extends OutputTarget<S>,
>(
  props: SidecarProps<S, T, U>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "sidecar"),
  agent: required(agent),
  sidecar: required(agent),
  output,
  sidecarOutput: { expected: output.expected, fits: output.fits },
  scorers: checked("an object of scorers by name", isPlainObject),
  prompt: anything,
  input: anything,
  maxConcurrency: withDefault(concurrency, 2),
  groundTruth: anything,
  context: anything,
  primaryLabel: text,
  sidecarLabel: text,
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<SidecarProps>;

const deltaRow = once(() =>
  z.object({
    primaryScore: z.number().nullable(),
    sidecarScore: z.number().nullable(),
    delta: z.number().nullable(),
    cheaperWins: z.boolean(),
  }),
);

/**
 * Lets a second agent, usually a cheaper one, do the same work beside the first, and compares their scores.
 * @example
 * <Sidecar agent={writer} sidecar={intern} output={outputs.draft} scorers={{ calm: { scorer: calm } }} prompt="Write." />
 * @see `docs/components/sidecar.md`
 */
export const Sidecar = ((given: SidecarProps): WorkflowElement => {
  const { composite, props } = checkProps("Sidecar", given, RULES);
  const { id, prompt, input, children, maxConcurrency, primaryLabel, sidecarLabel } = props;
  if (prompt === undefined && input === undefined && children === undefined) {
    throw wrongProp(composite, { prop: "prompt", expected: "what both agents are asked" });
  }
  const scorers = boundScorers(props);
  const [primary, sidecar] = [id, `${id}-sidecar`];
  // A score of one side alone compares nothing. Not a prop that authors see.
  const bothOrNone: object = { sampledAs: primary };
  const asked = (
    <>
      <section>{prompt}</section>
      {isData(input) ? jsonSection("Input", input) : <section>{input}</section>}
      <section>{children}</section>
    </>
  );
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Parallel id={`${id}-parallel`} maxConcurrency={maxConcurrency}>
        <Task
          id={primary}
          output={props.output}
          agent={props.agent}
          {...(scorers !== undefined && { scorers, ...bothOrNone })}
          {...(primaryLabel !== undefined && { label: primaryLabel })}
        >
          {asked}
        </Task>
        <Task
          id={sidecar}
          output={props.sidecarOutput ?? props.output}
          agent={props.sidecar}
          {...(scorers !== undefined && { scorers, ...bothOrNone })}
          {...(sidecarLabel !== undefined && { label: sidecarLabel })}
          continueOnFail
        >
          {asked}
        </Task>
      </Parallel>
      {scorers === undefined ? null : (
        <Task
          {...bookkeeping()}
          id={`${id}-delta`}
          output={COMPOSITE_ROWS}
          outputSchema={deltaRow()}
          needs={{ primary, sidecar }}
          cache={false}
        >
          {async (_rows, { scores }) => deltaOf(await scores(primary), await scores(sidecar))}
        </Task>
      )}
    </Sequence>,
  );
}) as SidecarComponent;

/** Neither text nor elements. */
function isData(
  input: SidecarProps["input"],
): input is Readonly<Record<string, unknown>> | readonly unknown[] {
  if (Array.isArray(input)) return !input.some((entry) => isValidElement(entry));
  return isPlainObject(input) && !isValidElement(input);
}

/** Undefined without any. A binding's own values win. */
function boundScorers({ scorers = {}, groundTruth, context }: SidecarProps): ScorersMap | undefined {
  const bound = Object.entries(scorers).map(([key, binding]) => [
    key,
    {
      ...(groundTruth !== undefined && { groundTruth }),
      ...(context !== undefined && { context }),
      ...binding,
    },
  ]);
  return bound.length === 0 ? undefined : (Object.fromEntries(bound) as ScorersMap);
}

/** Only scorers that have scored both sides compare them. */
function deltaOf(primary: readonly TaskScore[], sidecar: readonly TaskScore[]): SidecarDelta {
  const [ours, theirs] = [scored(primary), scored(sidecar)];
  const common = [...ours.keys()].filter((scorer) => theirs.has(scorer));
  if (common.length === 0) {
    const [primaryScore, sidecarScore] = [mean([...ours.values()]), mean([...theirs.values()])];
    return { primaryScore, sidecarScore, delta: null, cheaperWins: false };
  }
  const meanOf = (scores: ReadonlyMap<string, number>) =>
    mean(common.map((scorer) => scores.get(scorer) ?? 0)) as number;
  const [primaryScore, sidecarScore] = [meanOf(ours), meanOf(theirs)];
  const delta = exact(primaryScore - sidecarScore);
  return { primaryScore, sidecarScore, delta, cheaperWins: delta <= 0 };
}

function scored(scores: readonly TaskScore[]): Map<string, number> {
  return new Map(
    scores.flatMap(({ scorerId, score }) => (score === null ? [] : [[scorerId, score] as const])),
  );
}

function mean(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : exact(numbers.reduce((sum, value) => sum + value, 0) / numbers.length);
}

/** 0.9 - 0.7 is 0.2 to its reader. */
function exact(value: number): number {
  return Number(value.toFixed(12));
}
