import type { WorkflowElement, WorkflowNode } from "../../util/element.js";
import { hostComponent } from "../host-component.js";

/** Props of `Workflow`. */
export interface WorkflowProps {
  /** Kept with each run as `workflowName`; supervisors and lists go by it. */
  name: string;
  /** Caches the results of every agent and compute task. @default the option `cache` of `service`, else false */
  cache?: boolean;
  /**
   * Queue of every agent and compute task that names none: its workers execute the task, where the database is a
   * Postgres server. Child runs have their own workflow's. @default the run's queue, else the process that drives the run executes them
   */
  queue?: string;
  /** Each begins when the one before it is done. */
  children?: WorkflowNode;
}

/**
 * The root of a workflow. Its children run one after the other.
 * @example
 * export default service(() => (
 *   <Workflow name="hello">
 *     <Task id="greet" output={outputs.greeting}>{{ text: "hello" }}</Task>
 *   </Workflow>
 * ));
 * @see `docs/components/workflow.md`
 */
export const Workflow = hostComponent<(props: WorkflowProps) => WorkflowElement>("Workflow");
