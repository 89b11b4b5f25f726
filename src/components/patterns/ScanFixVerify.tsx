import { type AgentInput, isAgent } from "../../model/agent.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
import type { TaskRuntime } from "../../model/task.js";
import {
  type Checked,
  anything,
  checked,
  flag,
  name,
  required,
  withDefault,
} from "../../options/option-rules.js";
import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { Loop } from "../structure/Loop.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Task } from "../tasks/Task.js";
import { useCtx } from "../use-ctx.js";
import {
  agent,
  checkProps,
  concurrency,
  isAgentOrChain,
  limit,
  output,
  type PropRules,
} from "./check-props.js";
import type { HoldsFields } from "./holds-fields.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";
import { isFlag, isList, readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";
import { withReason } from "./with-reason.js";

/** Props of `ScanFixVerify`. */
export interface ScanFixVerifyProps<
  S extends SchemaMap = SchemaMap,
  A = OutputTarget<S>,
  F = OutputTarget<S>,
  V = OutputTarget<S>,
  R = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-loop`, `<id>-scan`, `<id>-fix-<n>`, `<id>-verify` and `<id>-report`. @default "sfv" */
  id?: string;
  /** Looks for issues: one agent, or a chain. */
  scanner: AgentInput | readonly AgentInput[];
  /** Fixes one issue: one agent, or a list that takes turns, issue by issue and round by round, each an agent or a chain. */
  fixer: AgentInput | readonly (AgentInput | readonly AgentInput[])[];
  /** Says whether everything is resolved, and writes the report: one agent, or a chain. */
  verifier: AgentInput | readonly AgentInput[];
  /** Takes the scanner's rows; there is a fix for each entry of their `issues`. */
  scanOutput: A;
  /** Takes the fixers' rows. */
  fixOutput: F;
  /** Takes the verifier's rows; `resolved: true` ends the loop. */
  verifyOutput: V;
  /** Takes the report. */
  reportOutput: R;
  /** Fixes at once. @default unbounded */
  maxConcurrency?: number;
  /** Rounds at most. @default 3 */
  maxRetries?: number;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The subject and the purpose of the scan. */
  children?: WorkflowNode;
}

/** `ScanFixVerify`, typed by the module's schemas. */
export type ScanFixVerifyComponent<S extends SchemaMap = SchemaMap> = <
  const A extends OutputTarget<S>,
  const F extends OutputTarget<S>,
  const V extends OutputTarget<S>,
  const R extends OutputTarget<S>,
>(
  props: ScanFixVerifyProps<
    S,
    A & HoldsFields<S, A, { issues: readonly unknown[] }>,
    F,
    V & HoldsFields<S, V, { resolved: boolean }>,
    R
  >,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "sfv"),
  scanner: required(agent),
  fixer: required(
    checked(
      "an agent (an object with generate()) or a non-empty list of fixers",
      (value) => isAgent(value) || (Array.isArray(value) && value.length > 0 && value.every(isAgentOrChain)),
    ),
  ),
  verifier: required(agent),
  scanOutput: output,
  fixOutput: output,
  verifyOutput: output,
  reportOutput: output,
  maxConcurrency: concurrency,
  maxRetries: withDefault(limit, 3),
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<ScanFixVerifyProps>;

const ISSUES = { prop: "scanOutput", field: "issues", ...isList };
const RESOLVED = { prop: "verifyOutput", field: "resolved", ...isFlag };

/**
 * Scans for issues, fixes them side by side and verifies, round after round until all are resolved; then reports.
 * @example
 * <ScanFixVerify
 *   scanner={linter} fixer={[coder, otherCoder]} verifier={tester} scanOutput={outputs.scan} fixOutput={outputs.fix}
 *   verifyOutput={outputs.verify} reportOutput={outputs.report}
 * >
 *   Find what the linter complains about in src.
 * </ScanFixVerify>
 * @see `docs/components/scan-fix-verify.md`
 */
export const ScanFixVerify = ((given: ScanFixVerifyProps): WorkflowElement => {
  const { composite, props } = checkProps("ScanFixVerify", given, RULES);
  const { id, scanOutput, verifyOutput, maxRetries } = props;
  const ctx = useCtx();
  const scan = ctx.outputMaybe(scanOutput, { nodeId: `${id}-scan` });
  const verified = ctx.outputMaybe(verifyOutput, { nodeId: `${id}-verify` });
  const isClean = scan !== undefined && readField(composite, scan, ISSUES).length === 0;
  const isResolved = verified !== undefined && readField(composite, verified, RESOLVED);
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Loop
        id={`${id}-loop`}
        until={isClean || isResolved}
        maxIterations={maxRetries}
        onMaxReached="return-last"
      >
        <ScanFixVerifyRound {...props} issuesOf={(row) => readField(composite, row, ISSUES)} />
      </Loop>
      <Report {...props} issuesOf={(row) => readField(composite, row, ISSUES)} />
    </Sequence>,
  );
}) as ScanFixVerifyComponent;

interface RoundProps extends Checked<ScanFixVerifyProps, typeof RULES> {
  issuesOf(row: object): readonly unknown[];
}

/** Inside the loop, so that rows without an iteration are those of this round. */
function ScanFixVerifyRound({ issuesOf, ...props }: RoundProps): WorkflowElement {
  const { id, scanner, fixer, verifier, scanOutput, fixOutput, verifyOutput, maxConcurrency, children } =
    props;
  const ctx = useCtx();
  const scanSchema = useNeededField(scanOutput, ISSUES);
  const verifySchema = useNeededField(verifyOutput, RESOLVED);
  const before = ctx.outputMaybe(verifyOutput, { nodeId: `${id}-verify`, iteration: ctx.iteration - 1 });
  const scan = ctx.outputMaybe(scanOutput, { nodeId: `${id}-scan` });
  const issues = scan === undefined ? [] : issuesOf(scan);
  const fixers = isAgent(fixer) ? [fixer] : fixer;
  const fixes = issues.map((issue, index) => ({ issue, nodeId: `${id}-fix-${index}` }));
  return (
    <Sequence>
      <Task id={`${id}-scan`} output={scanOutput} {...scanSchema} agent={scanner} cache={false}>
        {children}
        {jsonSection("What the last verification said", before)}
      </Task>
      <Parallel {...(maxConcurrency !== undefined && { maxConcurrency })}>
        {fixes.map(({ issue, nodeId }, index) => (
          <Task
            key={nodeId}
            id={nodeId}
            output={fixOutput}
            agent={fixers[(index + ctx.iteration) % fixers.length] as AgentInput}
            continueOnFail
          >
            <p>Fix this issue, and nothing else.</p>
            {jsonSection("Issue", issue)}
            {jsonSection("What the last verification said", before)}
          </Task>
        ))}
      </Parallel>
      {fixes.length === 0 ? null : (
        <Task
          id={`${id}-verify`}
          output={verifyOutput}
          {...verifySchema}
          agent={verifier}
          needs={Object.fromEntries(fixes.map(({ nodeId }) => [nodeId, nodeId]))}
        >
          {(rows, { failure }) => (
            <>
              <p>Verify that these issues are resolved.</p>
              {jsonSection(
                "Issues and their fixes",
                fixes.map(({ issue, nodeId }) => ({
                  issue,
                  fix: rows[nodeId] ?? withReason(FAILED, failure(nodeId)),
                })),
              )}
            </>
          )}
        </Task>
      )}
    </Sequence>
  );
}

/** Of all rounds. */
function Report({ issuesOf, ...props }: RoundProps): WorkflowElement {
  const { id, verifier, scanOutput, fixOutput, verifyOutput, reportOutput } = props;
  const ctx = useCtx();
  const rounds = Array.from({ length: ctx.iterationCount(scanOutput, `${id}-scan`) }, (_, iteration) => {
    const scan = ctx.outputMaybe(scanOutput, { nodeId: `${id}-scan`, iteration });
    const issues = scan === undefined ? [] : issuesOf(scan);
    const verification = ctx.outputMaybe(verifyOutput, { nodeId: `${id}-verify`, iteration });
    return { iteration, scan, issues, verification };
  });
  const fixOf = (index: number, iteration: number, failure: TaskRuntime["failure"]) => {
    const nodeId = `${id}-fix-${index}`;
    // The reason that can be had is that of the newest fix with this number.
    const isNewest = !rounds.slice(iteration + 1).some(({ issues }) => issues.length > index);
    return (
      ctx.outputMaybe(fixOutput, { nodeId, iteration }) ??
      withReason(FAILED, isNewest ? failure(nodeId) : null)
    );
  };
  return (
    <Task id={`${id}-report`} output={reportOutput} agent={verifier}>
      {(_rows, { failure }) => (
        <>
          <p>Report what was found, what was fixed and what is left.</p>
          {jsonSection(
            "Rounds",
            rounds.map(({ iteration, scan, issues, verification }) => ({
              scan,
              fixes: issues.map((issue, index) => ({ issue, fix: fixOf(index, iteration, failure) })),
              verification,
            })),
          )}
        </>
      )}
    </Task>
  );
}

const FAILED = "the fix failed";
