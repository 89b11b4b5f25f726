import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import type { ObjectSchema } from "../../model/row-schema.js";
import type { AgentInput } from "../../model/agent.js";
import type { TaskMemoryConfig } from "../../model/memory.js";
import type {
  OutputRow,
  OutputTarget,
  ReturnOfTarget,
  RowAddress,
  RowOfTarget,
  SchemaMap,
} from "../../model/schema.js";
import type { ScorersMap } from "../../model/scorer.js";
import type { TaskRuntime } from "../../model/task.js";
import { hostComponent } from "../host-component.js";
import type { LimitProps, OrderProps } from "./task-props.js";

type Targets<S extends SchemaMap> = Readonly<Record<string, OutputTarget<S>>>;
type Aliases = Readonly<Record<string, string>>;

/** First argument of a function child: the rows `deps` names, typed; those only `needs` names, unknown. */
export type TaskInputs<S extends SchemaMap, D, N> = {
  [K in keyof D]: OutputRow<RowOfTarget<S, D[K]>>;
} & { [K in Exclude<keyof N, keyof D>]: unknown };

/**
 * A row as a function returns it: fields that its schema does not have are refused, the address of another row aside.
 * Where nothing is known of the schema, as in a generic component, every row is taken.
 */
export type ExactRow<Row, Returned> = string extends keyof Row
  ? Returned
  : Returned & Readonly<Record<Exclude<keyof Returned, keyof Row | keyof RowAddress>, never>>;

// No interface: both kinds of task have the very same props of it only where none of them has a type of its own
// for `this`, and over a prop that they do not share an editor shows nothing.
type TypedProps<S extends SchemaMap, T, D, N> = {
  /** Where the row goes: the schema object, its key, or its table. */
  output: T;
  /**
   * Name to task id: orders, hands over the row untyped, and tells `deps` which task a name stands for.
   */
  needs?: N;
  /**
   * Name to output target: hands the row of node `needs[name] ?? name` to the
   * function, read when the task starts. Orders as well, and needs no re-render.
   */
  deps?: D & Targets<S>;
};

interface TaskCommonProps extends Omit<OrderProps, "needs">, LimitProps {
  /** Address of the node; unique in the workflow. */
  id: string;
  /** Validates instead of the output's own schema. @default the output's schema */
  outputSchema?: ObjectSchema;
  /** A person must approve before the first attempt. @default false */
  needsApproval?: boolean;
  /** With `needsApproval`: later siblings do not wait for the decision. @default false */
  async?: boolean;
  /** The same as `retries={0}`. @default false */
  noRetry?: boolean;
  /** Name of a limit that `createService` declares: each attempt waits for a slot of it. @default none */
  limit?: string;
  /**
   * Workers of this queue execute the task (`treadle worker --queues`), where the database is a Postgres server: it waits
   * for one, unless the queue is `default`, which the process that drives the run serves where no worker does.
   * Elsewhere no worker can be, and the process that drives the run does. @default the `queue` of `Workflow`, else that of the run, else the process that drives the run
   */
  queue?: string;
  /**
   * Name to scorer, and how many of the task's outputs it is for. They work once the task has finished,
   * beside the run: nothing waits for them but the run's end, and their failure fails no task. @default none
   */
  scorers?: ScorersMap;
}

/** A task that computes or states its row. */
export interface ComputeTaskProps<S extends SchemaMap, T, D, N, R = ReturnOfTarget<S, T>>
  extends TypedProps<S, T, D, N>,
    TaskCommonProps {
  agent?: undefined;
  fallbackAgent?: undefined;
  fork?: undefined;
  /** Keeps its row as a fact for later. */
  memory?: Pick<TaskMemoryConfig, "namespace" | "remember">;
  hijack?: undefined;
  onHijackExit?: undefined;
  allowTools?: undefined;
  maxSchemaRetries?: undefined;
  /** The row, or a function that makes it, also later. */
  children:
    | ReturnOfTarget<S, T>
    // Before the next one: the compiler explains by the first function why a child does not fit, and rows come late.
    | ((
        inputs: TaskInputs<S, D, N>,
        runtime: TaskRuntime,
      ) => ExactRow<ReturnOfTarget<S, T>, R> | Promise<ExactRow<ReturnOfTarget<S, T>, R>>)
    // Of its own, since rows of several shapes are inferred one by one from a union with promises.
    | ((inputs: TaskInputs<S, D, N>, runtime: TaskRuntime) => ExactRow<ReturnOfTarget<S, T>, R>);
}

/** A task that asks an agent. */
export interface AgentTaskProps<S extends SchemaMap, T, D, N>
  extends TypedProps<S, T, D, N>,
    TaskCommonProps {
  /** One agent, or a chain: attempt n uses agent n. */
  agent: AgentInput | readonly AgentInput[];
  /** Last of the chain. */
  fallbackAgent?: AgentInput;
  /** Id of a task whose final agent session this one starts from. */
  fork?: string;
  /** Facts that its prompt is given, a conversation that it continues with, and its row as a fact for later. */
  memory?: TaskMemoryConfig;
  /** Hands the agent's session over to a person as soon as there is one. @default false */
  hijack?: boolean;
  /**
   * Once the person gives it back: the agent only answers for what is there, or continues with the task.
   * @default "complete"
   */
  onHijackExit?: "complete" | "reopen";
  /** Tools the command-line agent may use. @default `cliAgentToolsDefault` of the run */
  allowTools?: readonly string[];
  /** How often an answer that does not fit the schema is given back within an attempt. @default 3 */
  maxSchemaRetries?: number;
  /** The prompt: text, elements (they become Markdown), or a function that makes one of its inputs. */
  children:
    | WorkflowNode
    | ((inputs: TaskInputs<S, D, N>, runtime: TaskRuntime) => WorkflowNode | Promise<WorkflowNode>);
}

/** Props of `Task`: those of a task that computes or states its row, or that asks an agent. */
export type TaskProps<
  S extends SchemaMap = SchemaMap,
  T = OutputTarget<S>,
  D = Record<never, never>,
  N = Aliases,
  R = ReturnOfTarget<S, T>,
> = ComputeTaskProps<S, T, D, N, R> | AgentTaskProps<S, T, D, N>;

/** `Task`, typed by the module's schemas. */
export type TaskComponent<S extends SchemaMap = SchemaMap> = <
  const T extends OutputTarget<S>,
  D extends Targets<S> = Record<never, never>,
  N extends Aliases = Record<never, never>,
  R extends ReturnOfTarget<S, T> = ReturnOfTarget<S, T>,
>(
  props: TaskProps<S, T, D, N, R>,
) => WorkflowElement;

/**
 * One unit of work that writes one row.
 * @example
 * <Task id="sum" output={outputs.sum} deps={{ numbers: outputs.numbers }}>
 *   {({ numbers }) => ({ value: numbers.a + numbers.b })}
 * </Task>
 * @see `docs/components/task.md`
 */
export const Task = hostComponent<TaskComponent>("Task");
