import type { AgentInput } from "../../model/agent.js";
import type { OutputRow, OutputTarget, RowOfTarget, SchemaMap } from "../../model/schema.js";
import {
  anything,
  callback,
  checked,
  flag,
  name,
  record,
  required,
  withDefault,
  type Checked,
} from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Loop } from "../structure/Loop.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { Timer } from "../tasks/Timer.js";
import { useCtx } from "../use-ctx.js";
import { checkItem, type ItemRules } from "./check-items.js";
import { agent, checkProps, limit, output, type PropRules } from "./check-props.js";
import type { HoldsFields } from "./holds-fields.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";
import { isFlag, readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";

/** How often a `DriftDetector` looks. */
export interface DriftPoll {
  /** Milliseconds between two looks; the wait survives restarts. @default 60000 */
  intervalMs?: number;
  /** Looks at most. @default 100 */
  maxPolls?: number;
}

/** Props of `DriftDetector`. */
export interface DriftDetectorProps<
  S extends SchemaMap = SchemaMap,
  C = OutputTarget<S>,
  D = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-capture` and `<id>-compare`, with `poll` also `<id>-poll` and `<id>-delay`. @default "drift" */
  id?: string;
  /** Says how things are: one agent, or a chain. */
  captureAgent: AgentInput | readonly AgentInput[];
  /** Compares that with the baseline: one agent, or a chain. */
  compareAgent: AgentInput | readonly AgentInput[];
  /** Takes the rows of `captureAgent`. */
  captureOutput: C;
  /** Takes the rows of `compareAgent`; without `alertIf`, `drifted: true` in one is a drift. */
  compareOutput: D;
  /** How things ought to be: any data, or a function that gets it before each comparison. */
  baseline: unknown;
  /** Whether a comparison is a drift. @default its field `drifted` */
  alertIf?(comparison: OutputRow<RowOfTarget<S, D>>): boolean;
  /** Mounted when there is a drift. @default nothing */
  alert?: WorkflowNode;
  /** Looks again and again, up to the first drift. @default looks once */
  poll?: DriftPoll;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The prompt of `captureAgent`. @default to describe the present state */
  children?: WorkflowNode;
}

/** `DriftDetector`, typed by the module's schemas. Without `alertIf`, `compareOutput` has to have the field. */
export type DriftDetectorComponent<S extends SchemaMap = SchemaMap> = <
  const C extends OutputTarget<S>,
  const D extends OutputTarget<S>,
>(
  props:
    | (DriftDetectorProps<S, C, D> & Required<Pick<DriftDetectorProps<S, C, D>, "alertIf">>)
    | (DriftDetectorProps<S, C, D & HoldsFields<S, D, { drifted: boolean }>> & { alertIf?: undefined }),
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "drift"),
  captureAgent: required(agent),
  compareAgent: required(agent),
  captureOutput: output,
  compareOutput: output,
  baseline: required(
    checked("what to compare with: any data, or a function that gets it", (value) => value !== undefined),
  ),
  alertIf: callback,
  alert: anything,
  poll: record,
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<DriftDetectorProps>;

const POLL: ItemRules<DriftPoll> = {
  what: "an object",
  fields: {
    intervalMs: checked(
      "milliseconds greater than 0",
      (value) => Number.isFinite(value) && (value as number) > 0,
    ),
    maxPolls: limit,
  },
};

const DRIFTED = { prop: "compareOutput", field: "drifted", ...isFlag };

/**
 * Compares how things are with how they ought to be, once or at intervals, and raises an alert at the first drift.
 * @example
 * <DriftDetector
 *   captureAgent={inspector} compareAgent={judge} captureOutput={outputs.state} compareOutput={outputs.drift}
 *   baseline={{ replicas: 3 }} poll={{ intervalMs: 600_000 }} alert={<Page />}
 * />
 * @see `docs/components/drift-detector.md`
 */
export const DriftDetector = ((given: DriftDetectorProps): WorkflowElement => {
  const { composite, props } = checkProps("DriftDetector", given, RULES);
  const { id, compareOutput, alertIf, poll, alert = null } = props;
  if (poll !== undefined) checkItem(composite, { prop: "poll", item: poll, rules: POLL });
  const { intervalMs = 60_000, maxPolls = 100 } = poll ?? {};
  const ctx = useCtx();
  const row = ctx.outputMaybe(compareOutput, { nodeId: `${id}-compare` });
  const hasDrifted =
    row !== undefined && (alertIf === undefined ? readField(composite, row, DRIFTED) : alertIf(row) === true);
  const look = <Look {...props} />;
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      {poll === undefined ? (
        look
      ) : (
        <Loop id={`${id}-poll`} until={hasDrifted} maxIterations={maxPolls} onMaxReached="return-last">
          <Sequence>
            <DriftDetectorDelay id={`${id}-delay`} duration={intervalMs} />
            {look}
          </Sequence>
        </Loop>
      )}
      {hasDrifted ? alert : null}
    </Sequence>,
  );
}) as DriftDetectorComponent;

/** Nothing to wait for before the first look. */
function DriftDetectorDelay(props: { id: string; duration: number }): WorkflowElement | null {
  return useCtx().iteration === 0 ? null : <Timer {...props} />;
}

function Look(props: Checked<DriftDetectorProps, typeof RULES>): WorkflowElement {
  const { id, captureAgent, compareAgent, captureOutput, compareOutput, baseline, alertIf } = props;
  const compareSchema = useNeededField(compareOutput, DRIFTED);
  return (
    <>
      <Task id={`${id}-capture`} output={captureOutput} agent={captureAgent} cache={false}>
        {props.children ?? "Describe the present state of what you watch."}
      </Task>
      <Task
        id={`${id}-compare`}
        output={compareOutput}
        {...(alertIf === undefined && compareSchema)}
        agent={compareAgent}
        needs={{ present: `${id}-capture` }}
        deps={{ present: captureOutput }}
      >
        {({ present }) =>
          typeof baseline === "function"
            ? Promise.resolve(baseline()).then((wanted) => comparison(wanted, present))
            : comparison(baseline, present)
        }
      </Task>
    </>
  );
}

function comparison(baseline: unknown, present: unknown): WorkflowElement {
  return (
    <>
      <p>Compare the present state with the baseline, and say whether it has drifted from it.</p>
      {jsonSection("Baseline", baseline)}
      {jsonSection("Present state", present)}
    </>
  );
}
