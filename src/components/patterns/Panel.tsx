import type { AgentInput } from "../../model/agent.js";
import { type Composite, compositeName } from "../../model/composite.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import { type PanelTally, panelTally } from "../../model/panel-tally.js";
import type { OutputSide } from "../../model/row-schema.js";
import type { OutputTarget, SchemaMap, SchemaOfTarget } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import { ServiceError } from "../../errors/service-error.js";
import { anything, flag, name, oneOf, required, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { bookkeeping } from "./bookkeeping.js";
import { checkItem, type ItemRules } from "./check-items.js";
import {
  agent,
  checkProps,
  concurrency,
  isAgentOrChain,
  nonEmptyList,
  output,
  type PropRules,
} from "./check-props.js";
import { countVotes } from "./count-votes.js";
import type { MissingFields } from "./holds-fields.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";
import { jsonSection, quotedTask, taskText } from "./prompt-parts.js";
import { readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";
import { useFailure } from "./use-failure.js";
import { listFailed, reasonsOf } from "./with-reason.js";
import { wrongProp } from "./wrong-prop.js";

/** A member of a panel. */
export interface Panelist {
  /** Answers: one agent, or a chain. */
  agent: AgentInput | readonly AgentInput[];
  /** The role it answers in; part of its prompt. */
  role?: string;
  /** Its name, in the tally and in its node `<panel>-<label>`. @default the role, else `panelist-` and its place */
  label?: string;
}

/** How a `Panel` combines its answers. */
export type PanelStrategy = "synthesize" | "vote" | "consensus";

/** Props of `Panel`. */
export interface PanelProps<
  S extends SchemaMap = SchemaMap,
  P = OutputTarget<S>,
  M = OutputTarget<S>,
  V = PanelStrategy,
> {
  /** Prefix of the ids `<id>-<panelist>`, `<id>-tally` and `<id>-moderator`. @default "panel" */
  id?: string;
  /** Who is asked, all at the same time: agents, chains, or agents with a role or a label. */
  panelists: readonly (AgentInput | readonly AgentInput[] | Panelist)[];
  /** Words the result: one agent, or a chain. */
  moderator: AgentInput | readonly AgentInput[];
  /** Takes the panelists' rows. To be counted they have a field `vote`, or `approved`. */
  panelistOutput: P;
  /** Takes the moderator's row. */
  moderatorOutput: M;
  /**
   * `synthesize`: the moderator makes one answer of all. `vote` and `consensus`: the votes are counted, and the
   * moderator words what they come to. @default "synthesize"
   */
  strategy?: V;
  /**
   * Panelists that have to vote the same; with `synthesize`, that have to answer.
   * @default vote: more than half; consensus: all; synthesize: 1
   */
  minAgree?: number;
  /** Panelists at once. @default unbounded */
  maxConcurrency?: number;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The question. */
  children?: WorkflowNode;
}

/** Nothing for an output whose rows can be counted, or that are not counted. */
type HoldsVote<S extends SchemaMap, T, V> = "synthesize" extends V
  ? unknown
  : [MissingFields<OutputSide<SchemaOfTarget<S, T>>, { vote: string | number | boolean }>] extends [never]
    ? unknown
    : [MissingFields<OutputSide<SchemaOfTarget<S, T>>, { approved: boolean }>] extends [never]
      ? unknown
      : { readonly "fields that the composite reads": "vote" };

/** `Panel`, typed by the module's schemas. */
export type PanelComponent<S extends SchemaMap = SchemaMap> = <
  const P extends OutputTarget<S>,
  const M extends OutputTarget<S>,
  const V extends PanelStrategy = "synthesize",
>(
  props: PanelProps<S, P & HoldsVote<S, P, V>, M, V>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "panel"),
  panelists: required(nonEmptyList),
  moderator: required(agent),
  panelistOutput: output,
  moderatorOutput: output,
  strategy: withDefault(oneOf(["synthesize", "vote", "consensus"]), "synthesize"),
  minAgree: concurrency,
  maxConcurrency: concurrency,
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<PanelProps>;

const PANELIST: ItemRules<Panelist> = {
  what: "an agent, a chain of agents, or",
  fields: { agent: required(agent), role: name, label: name },
};

/**
 * Asks several agents the same and makes one result of their answers.
 * @example
 * <Panel
 *   panelists={[{ agent: coder, role: "security" }, { agent: editor, role: "style" }, reviewer]}
 *   moderator={writer}
 *   panelistOutput={outputs.review}
 *   moderatorOutput={outputs.report}
 *   strategy="vote"
 * >
 *   May the change be merged?
 * </Panel>
 * @see `docs/components/panel.md`
 */
export const Panel = ((given: PanelProps): WorkflowElement => {
  const { composite, props } = checkProps("Panel", given, RULES);
  const { id, moderator, panelistOutput, moderatorOutput, maxConcurrency, children } = props;
  for (const [index, item] of props.panelists.entries()) {
    if (isAgentOrChain(item)) continue;
    checkItem(composite, { prop: `panelists[${index}]`, item, rules: PANELIST });
  }
  const panelists = seated(id, props);
  const minAgree = neededAgreement(composite, props);
  const ballotSchema = useNeededField(panelistOutput, ballotIn);
  const isCounted = props.strategy !== "synthesize";
  const ctx = useCtx();
  const failure = useFailure();
  const answers = panelists.map(({ nodeId, name }) => ({
    nodeId,
    name,
    row: ctx.outputMaybe(panelistOutput, { nodeId }),
  }));
  const tally = ctx.outputMaybe(COMPOSITE_ROWS, { nodeId: `${id}-tally` });
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Parallel {...(maxConcurrency !== undefined && { maxConcurrency })}>
        {panelists.map(({ nodeId, agent, role, name }) => (
          // Who fails is missing in the tally, which says whether that is too many.
          <Task
            key={nodeId}
            id={nodeId}
            output={panelistOutput}
            {...(isCounted && ballotSchema)}
            agent={agent}
            label={name}
            continueOnFail
          >
            {role === undefined ? null : <p>You answer as: {role}</p>}
            {taskText(children)}
          </Task>
        ))}
      </Parallel>
      <Task
        {...bookkeeping(panelists.filter(({ isNamed }) => !isNamed).map(({ nodeId }) => nodeId))}
        id={`${id}-tally`}
        output={COMPOSITE_ROWS}
        outputSchema={panelTally()}
        cache={false}
        needs={Object.fromEntries(panelists.map(({ nodeId }) => [nodeId, nodeId]))}
      >
        {(rows, { failure }) =>
          tallyOf(composite, { panelists, minAgree, strategy: props.strategy, rows, failure })
        }
      </Task>
      <Task id={`${id}-moderator`} output={moderatorOutput} agent={moderator}>
        <p>{BRIEFS[props.strategy]}</p>
        {quotedTask("Question", children)}
        {answers.map(({ name, row }) => jsonSection(`Answer of ${name}`, row))}
        {jsonSection("Tally", tally)}
        {jsonSection("Without an answer", reasonsOf(answers, failure))}
      </Task>
    </Sequence>,
  );
}) as PanelComponent;

const BRIEFS: Readonly<Record<PanelStrategy, string>> = {
  synthesize: "A panel was asked this question. Make one answer of theirs; say where they disagree.",
  vote: "A panel has voted on this question, and the votes are counted. Word the result as the tally has it; do not count again.",
  consensus:
    "A panel was asked to agree on this question, and the votes are counted. Word the result as the tally has it; do not count again.",
};

interface Seat extends Panelist {
  name: string;
  nodeId: string;
  /** By a label or role that no other has; else by its place. */
  isNamed: boolean;
}

/** Names that two panelists have, or that another node of the panel has, get a number. */
function seated(id: string, { panelists }: PanelProps): Seat[] {
  const taken = new Set(["tally", "moderator"]);
  const listed = panelists.map(
    (given): Panelist => (isAgentOrChain(given) ? { agent: given } : (given as Panelist)),
  );
  const names = listed.map(({ label, role }) => label ?? role);
  return listed.map((panelist, index) => {
    const own = names[index];
    const wanted = own ?? `panelist-${index}`;
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
    taken.add(name);
    const isNamed = own !== undefined && names.indexOf(own) === names.lastIndexOf(own);
    return { ...panelist, name, nodeId: itemId(id, name), isNamed };
  });
}

function neededAgreement(composite: Composite, { strategy, minAgree, panelists }: PanelProps): number {
  const { length } = panelists;
  if (minAgree !== undefined && minAgree > length) {
    throw wrongProp(composite, { prop: "minAgree", expected: `at most the number of panelists, ${length}` });
  }
  if (minAgree !== undefined) return minAgree;
  return strategy === "vote" ? Math.floor(length / 2) + 1 : strategy === "consensus" ? length : 1;
}

/** @throws DEP_NOT_SATISFIED too few have answered for there to be a result */
function tallyOf(
  composite: Composite,
  about: {
    panelists: readonly Seat[];
    strategy: PanelStrategy;
    minAgree: number;
    rows: Readonly<Record<string, unknown>>;
    failure: TaskRuntime["failure"];
  },
): PanelTally {
  const { panelists, strategy, minAgree } = about;
  const ballots = panelists.flatMap(({ name, nodeId }) => {
    const row = about.rows[nodeId];
    return row === undefined ? [] : [{ by: name, row: row as object }];
  });
  const answered = ballots.map(({ by }) => by);
  const absent = panelists.filter(({ name }) => !answered.includes(name));
  const missing = absent.map(({ name }) => name);
  const needed = strategy === "synthesize" ? minAgree : 1;
  if (answered.length < needed) {
    throw new ServiceError(
      "DEP_NOT_SATISFIED",
      `${compositeName(composite)} needs answers of ${needed} of its ${panelists.length} panelists and has ${answered.length}: ${listFailed(absent, about.failure)}.`,
      { details: { missing }, retryable: false },
    );
  }
  const counted =
    strategy === "synthesize"
      ? { votes: [], agreed: true, decision: null }
      : countVotes(
          ballots.map(({ by, row }) => ({ by, vote: voteOf(composite, row) })),
          minAgree,
        );
  return { strategy, panelists: panelists.length, answered, missing, minAgree, ...counted };
}

function ballotIn(row: object) {
  const field = "vote" in row || !("approved" in row) ? "vote" : "approved";
  return { prop: "panelistOutput", field, ...isBallot };
}

/** The vote of a panelist: its `vote`, or whether it has approved. */
function voteOf(composite: Composite, row: object): string | number | boolean {
  return readField(composite, row, ballotIn(row));
}

const isBallot = {
  expected: "a text, a number, true or false",
  fits: (value: unknown): value is string | number | boolean =>
    ["string", "number", "boolean"].includes(typeof value) && !Number.isNaN(value),
};
