import { z } from "zod";
import type { AgentInput } from "../../model/agent.js";
import { type Composite, compositeName } from "../../model/composite.js";
import { COMPOSITE_ROWS } from "../../model/composite-rows.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import { ServiceError } from "../../errors/service-error.js";
import { anything, checked, flag, name, orNull, required, withDefault } from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { once } from "../../util/once.js";
import { isPlainObject } from "../../util/same-data.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import { bookkeeping } from "./bookkeeping.js";
import { checkItem, type ItemRules } from "./check-items.js";
import { agent, checkProps, concurrency, isAgentOrChain, output, type PropRules } from "./check-props.js";
import { itemId } from "./item-id.js";
import { partsOf } from "./parts-of.js";
import { jsonSection, quotedTask, taskText } from "./prompt-parts.js";
import { useFailure } from "./use-failure.js";
import { listFailed, reasonsOf } from "./with-reason.js";

/** Where something is gathered. */
export interface GatherSource {
  /** Gathers: one agent, or a chain. */
  agent: AgentInput | readonly AgentInput[];
  /** Its prompt besides the content between the tags. */
  prompt?: WorkflowNode;
}

/** Props of `GatherAndSynthesize`. */
export interface GatherAndSynthesizeProps<
  S extends SchemaMap = SchemaMap,
  G = OutputTarget<S>,
  Y = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-gather-<source>`, `<id>-gathered` and `<id>-synthesize`. @default "gather-and-synthesize" */
  id?: string;
  /** By name: agents, chains, or agents with a prompt of their own. */
  sources: Readonly<Record<string, AgentInput | readonly AgentInput[] | GatherSource>>;
  /** Makes one result of what the sources gave: one agent, or a chain. */
  synthesizer: AgentInput | readonly AgentInput[];
  /** Takes the sources' rows. */
  gatherOutput: G;
  /** Takes the synthesizer's row. */
  synthesisOutput: Y;
  /** Data for the synthesizer instead of the sources' rows. @default the sources' rows */
  gatheredResults?: Readonly<Record<string, unknown>> | readonly unknown[] | null;
  /** Sources at once. @default unbounded */
  maxConcurrency?: number;
  /** How the synthesizer is to go about it. @default to make one result, and to say where the sources disagree */
  synthesisPrompt?: WorkflowNode;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The question, for the sources and for the synthesizer. */
  children?: WorkflowNode;
}

/** `GatherAndSynthesize`, typed by the module's schemas. */
export type GatherAndSynthesizeComponent<S extends SchemaMap = SchemaMap> = <
  const G extends OutputTarget<S>,
  const Y extends OutputTarget<S>,
>(
  props: GatherAndSynthesizeProps<S, G, Y>,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "gather-and-synthesize"),
  sources: required(
    checked(
      "an object with at least one source, each an agent or {agent, prompt?}",
      (value) => isPlainObject(value) && Object.keys(value).length > 0,
    ),
  ),
  synthesizer: required(agent),
  gatherOutput: output,
  synthesisOutput: output,
  gatheredResults: orNull(checked("an object or a list", (value) => typeof value === "object")),
  maxConcurrency: concurrency,
  synthesisPrompt: anything,
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<GatherAndSynthesizeProps>;

const SOURCE: ItemRules<GatherSource> = {
  what: "an agent, a chain of agents, or",
  fields: { agent: required(agent), prompt: anything },
};

/** Row of `<id>-gathered`. */
const gathered = once(() => z.object({ gathered: z.array(z.string()), missing: z.array(z.string()) }));

/**
 * Gathers from several sources at the same time, and makes one result of it.
 * @example
 * <GatherAndSynthesize
 *   sources={{ code: coder, law: { agent: lawyer, prompt: "Look at the licences only." } }}
 *   synthesizer={writer}
 *   gatherOutput={outputs.draft}
 *   synthesisOutput={outputs.report}
 * >
 *   May we publish the library?
 * </GatherAndSynthesize>
 * @see `docs/components/gather-and-synthesize.md`
 */
export const GatherAndSynthesize = ((given: GatherAndSynthesizeProps): WorkflowElement => {
  const { composite, props } = checkProps("GatherAndSynthesize", given, RULES);
  const { id, gatherOutput, gatheredResults, maxConcurrency, children } = props;
  for (const [key, item] of Object.entries(props.sources)) {
    if (!isAgentOrChain(item)) checkItem(composite, { prop: `sources.${key}`, item, rules: SOURCE });
  }
  const sources = Object.entries(props.sources).map(([name, given]) => ({
    name,
    nodeId: itemId(`${id}-gather`, name),
    ...(isAgentOrChain(given) ? { agent: given } : (given as GatherSource)),
  }));
  const ctx = useCtx();
  const failure = useFailure();
  const rows = sources.map(({ name, nodeId }) => ({
    name,
    nodeId,
    row: ctx.outputMaybe(gatherOutput, { nodeId }),
  }));
  const record = ctx.outputMaybe(COMPOSITE_ROWS, { nodeId: `${id}-gathered` });
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Parallel id={`${id}-gather`} {...(maxConcurrency !== undefined && { maxConcurrency })}>
        {sources.map(({ name, nodeId, agent, prompt }) => (
          // A source that fails is listed as missing in the synthesizer's prompt.
          <Task key={nodeId} id={nodeId} output={gatherOutput} agent={agent} label={name} continueOnFail>
            <section>{prompt === undefined ? taskText(children) : children}</section>
            <section>{prompt}</section>
          </Task>
        ))}
      </Parallel>
      <Task
        {...bookkeeping()}
        id={`${id}-gathered`}
        output={COMPOSITE_ROWS}
        outputSchema={gathered()}
        cache={false}
        needs={Object.fromEntries(sources.map(({ nodeId }) => [nodeId, nodeId]))}
      >
        {(found, { failure }) =>
          recordOf(composite, { sources, found, failure, hasOtherResults: gatheredResults != null })
        }
      </Task>
      <Task id={`${id}-synthesize`} output={props.synthesisOutput} agent={props.synthesizer}>
        {props.synthesisPrompt ?? (
          <p>Make one result of what was gathered for this question; say where the sources disagree.</p>
        )}
        {quotedTask("Question", children)}
        {gatheredResults != null
          ? jsonSection("Gathered", gatheredResults)
          : rows.map(({ name, row }) => jsonSection(`Gathered: ${name}`, row))}
        {jsonSection("Why sources are missing", reasonsOf(rows, failure))}
        {jsonSection("Sources", record)}
      </Task>
    </Sequence>,
  );
}) as GatherAndSynthesizeComponent;

/** @throws DEP_NOT_SATISFIED there is nothing to make a result of */
function recordOf(
  composite: Composite,
  about: {
    sources: readonly { name: string; nodeId: string }[];
    found: Readonly<Record<string, unknown>>;
    failure: TaskRuntime["failure"];
    hasOtherResults: boolean;
  },
) {
  const namesOf = (isThere: boolean) =>
    about.sources
      .filter(({ nodeId }) => (about.found[nodeId] !== undefined) === isThere)
      .map(({ name }) => name);
  const missing = namesOf(false);
  if (missing.length < about.sources.length || about.hasOtherResults)
    return { gathered: namesOf(true), missing };
  throw new ServiceError(
    "DEP_NOT_SATISFIED",
    `${compositeName(composite)} has gathered nothing: ${listFailed(about.sources, about.failure)}.`,
    { details: { missing }, retryable: false },
  );
}
