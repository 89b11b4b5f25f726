import type { AgentInput } from "../../model/agent.js";
import type { OutputTarget, SchemaMap } from "../../model/schema.js";
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
import { isPlainObject } from "../../util/same-data.js";
import { Loop } from "../structure/Loop.js";
import { Parallel } from "../structure/Parallel.js";
import { Sequence } from "../structure/Sequence.js";
import { Worktree } from "../structure/Worktree.js";
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
import { itemId } from "./item-id.js";
import { newestRow } from "./newest-row.js";
import { partsOf } from "./parts-of.js";
import { jsonSection } from "./prompt-parts.js";
import { isFlag, readField } from "./read-field.js";
import { useNeededField } from "./use-answer-schema.js";
import { useFailure } from "./use-failure.js";
import { withReason } from "./with-reason.js";

/** One piece of work in a plan. */
export interface SupervisedTask {
  /** Names it for the boss, who may have it done again; no other task of the plan has it. */
  id: string;
  /** Which of the workers does it. */
  workerType: string;
  instructions: string;
}

/** Props of `Supervisor`. */
export interface SupervisorProps<
  S extends SchemaMap = SchemaMap,
  P = OutputTarget<S>,
  W = OutputTarget<S>,
  R = OutputTarget<S>,
  F = OutputTarget<S>,
> {
  /** Prefix of the ids `<id>-plan`, `<id>-loop`, `<id>-worker-<type>`, `<id>-review` and `<id>-final`. @default "supervisor" */
  id?: string;
  /** Plans, reviews and sums up: one agent, or a chain. */
  boss: AgentInput | readonly AgentInput[];
  /** Who works, by type: each one agent, or a chain. */
  workers: Readonly<Record<string, AgentInput | readonly AgentInput[]>>;
  /** Takes the plan: `tasks` of `{id, workerType, instructions}`. */
  planOutput: P;
  /** Takes the workers' rows. */
  workerOutput: W;
  /** Takes the reviews; `allDone: true` ends the loop, `retriable` may list the ids of the tasks to do again. */
  reviewOutput: R;
  /** Takes the summary. */
  finalOutput: F;
  /** Rounds of work and review at most. @default 3 */
  maxIterations?: number;
  /** Workers at once. @default 5 */
  maxConcurrency?: number;
  /** Each worker works in a git worktree of its own, on a branch `worker/<id>-worker-<type>`. @default false */
  useWorktrees?: boolean;
  /** Marks every task inside as skipped. @default false */
  skipIf?: boolean;
  /** The goal. */
  children?: WorkflowNode;
}

/** `Supervisor`, typed by the module's schemas. */
export type SupervisorComponent<S extends SchemaMap = SchemaMap> = <
  const P extends OutputTarget<S>,
  const W extends OutputTarget<S>,
  const R extends OutputTarget<S>,
  const F extends OutputTarget<S>,
>(
  props: SupervisorProps<
    S,
    P & HoldsFields<S, P, { tasks: readonly SupervisedTask[] }>,
    W,
    R & HoldsFields<S, R, { allDone: boolean }>,
    F
  >,
) => WorkflowElement;

const RULES = {
  id: withDefault(name, "supervisor"),
  boss: required(agent),
  workers: required(
    checked(
      "an object of at least one agent or chain of agents by type",
      (value) =>
        isPlainObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isAgentOrChain),
    ),
  ),
  planOutput: output,
  workerOutput: output,
  reviewOutput: output,
  finalOutput: output,
  maxIterations: withDefault(limit, 3),
  maxConcurrency: withDefault(concurrency, 5),
  useWorktrees: withDefault(flag, false),
  skipIf: withDefault(flag, false),
  children: anything,
} satisfies PropRules<SupervisorProps>;

const ALL_DONE = { prop: "reviewOutput", field: "allDone", ...isFlag };

/** The schema of a plan for the given workers. */
function tasksFor(workers: SupervisorProps["workers"]) {
  const types = Object.keys(workers);
  const isTask = (task: unknown): task is SupervisedTask =>
    isPlainObject(task) &&
    typeof task["id"] === "string" &&
    types.includes(task["workerType"] as string) &&
    typeof task["instructions"] === "string";
  return {
    prop: "planOutput",
    field: "tasks",
    expected: `a list of {id, workerType, instructions}, each with an id of its own and one of the workers ${types.join(", ")}`,
    fits: (value: unknown): value is readonly SupervisedTask[] =>
      Array.isArray(value) && value.every(isTask) && new Set(value.map(({ id }) => id)).size === value.length,
  };
}

/**
 * A boss plans, workers do what the plan gives them, and the boss reviews, round after round until all is done.
 * @example
 * <Supervisor
 *   boss={lead} workers={{ coder, tester }} planOutput={outputs.plan} workerOutput={outputs.work}
 *   reviewOutput={outputs.progress} finalOutput={outputs.summary}
 * >
 *   Ship the login page.
 * </Supervisor>
 * @see `docs/components/supervisor.md`
 */
export const Supervisor = ((given: SupervisorProps): WorkflowElement => {
  const { composite, props } = checkProps("Supervisor", given, RULES);
  const { id, boss, workers, planOutput, workerOutput, reviewOutput, finalOutput, children } = props;
  const ctx = useCtx();
  const failure = useFailure();
  const plan = ctx.outputMaybe(planOutput, { nodeId: `${id}-plan` });
  const needed = tasksFor(workers);
  const planSchema = useNeededField(planOutput, needed);
  const tasks = plan === undefined ? [] : readField(composite, plan, needed);
  const review = ctx.outputMaybe(reviewOutput, { nodeId: `${id}-review` });
  const isDone = review !== undefined && readField(composite, review, ALL_DONE);
  return partsOf(
    composite,
    <Sequence skipIf={props.skipIf}>
      <Task id={`${id}-plan`} output={planOutput} {...planSchema} agent={boss}>
        {children}
        <p>
          Plan the work as tasks, each for one of these workers, by type: {Object.keys(workers).join(", ")}.
          Only the workers that you name will work, and each sees its own instructions only.
        </p>
      </Task>
      {tasks.length === 0 ? null : (
        <Loop
          id={`${id}-loop`}
          until={isDone}
          maxIterations={props.maxIterations ?? 3}
          onMaxReached="return-last"
        >
          <SupervisorRound {...props} tasks={tasks} />
        </Loop>
      )}
      <Task id={`${id}-final`} output={finalOutput} agent={boss}>
        <p>Sum up what the work on this goal has come to.</p>
        <blockquote>{children}</blockquote>
        {jsonSection("Plan", tasks)}
        {jsonSection(
          "Newest results by worker",
          Object.fromEntries(
            typesIn(tasks).map((type) => {
              const node = { nodeId: workerId(id, type), loop: `${id}-loop` };
              const row = newestRow(ctx, workerOutput, node);
              return [type, row ?? withReason(NOTHING, failure(node.nodeId))];
            }),
          ),
        )}
        {jsonSection("Last review", review)}
      </Task>
    </Sequence>,
  );
}) as SupervisorComponent;

const NOTHING = "it failed, there is no result";

/** Inside the loop, so that rows without an iteration are those of this round. */
function SupervisorRound(
  props: Checked<SupervisorProps, typeof RULES> & { tasks: readonly SupervisedTask[] },
): WorkflowElement {
  const { id, boss, workers, tasks, workerOutput, reviewOutput, maxConcurrency, useWorktrees } = props;
  const ctx = useCtx();
  const iteration = ctx.iteration - 1;
  const review = ctx.outputMaybe(reviewOutput, { nodeId: `${id}-review`, iteration });
  const due = typesIn(tasksToDo(tasks, review));
  const reviewSchema = useNeededField(reviewOutput, ALL_DONE);
  return (
    <Sequence>
      <Parallel maxConcurrency={maxConcurrency}>
        {due.map((type) => {
          const nodeId = workerId(id, type);
          const work = (
            <Task
              key={nodeId}
              id={nodeId}
              output={workerOutput}
              agent={workers[type] as AgentInput}
              label={`Worker: ${type}`}
              continueOnFail
            >
              {tasks
                .filter(({ workerType }) => workerType === type)
                .map(({ id: task, instructions }) => (
                  <p key={task}>{instructions}</p>
                ))}
              {jsonSection("Your last result", ctx.outputMaybe(workerOutput, { nodeId, iteration }))}
              {jsonSection("What the last review said", review)}
            </Task>
          );
          if (useWorktrees !== true) return work;
          const place = nodeId.replaceAll(":", "%");
          return (
            <Worktree key={nodeId} path={`.worktrees/${place}`} branch={`worker/${place}`}>
              {work}
            </Worktree>
          );
        })}
      </Parallel>
      <Task
        id={`${id}-review`}
        output={reviewOutput}
        {...reviewSchema}
        agent={boss}
        needs={Object.fromEntries(due.map((type) => [type, workerId(id, type)]))}
      >
        {(results, { failure }) => (
          <>
            <p>
              Review the results of this round. All is done when nothing has to be done again; list the ids of
              the tasks that have to.
            </p>
            {jsonSection("Plan", tasks)}
            {jsonSection(
              "Results",
              Object.fromEntries(
                due.map((type) => [type, results[type] ?? withReason(NOTHING, failure(workerId(id, type)))]),
              ),
            )}
          </>
        )}
      </Task>
    </Sequence>
  );
}

function workerId(id: string, type: string): string {
  return itemId(`${id}-worker`, type);
}

/** Each once, in the order of the plan. */
function typesIn(tasks: readonly SupervisedTask[]): string[] {
  return [...new Set(tasks.map(({ workerType }) => workerType))];
}

/** Those that the review names; all, if it names none. */
function tasksToDo(tasks: readonly SupervisedTask[], review: object | undefined): readonly SupervisedTask[] {
  const { retriable } = (review ?? {}) as { retriable?: unknown };
  if (!Array.isArray(retriable)) return tasks;
  const again = tasks.filter(({ id }) => retriable.includes(id));
  return again.length === 0 ? tasks : again;
}
