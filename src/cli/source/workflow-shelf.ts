import type { SerializedError } from "../../errors/ensure-error.js";
import type { WorkflowInspection } from "../../operations/index.js";

/** A workflow as lists show it. */
export interface ListedWorkflow {
  /** Its name for commands: the name of its file, or the key that a gateway has it under. */
  name: string;
  /** Of its file, relative to the current folder; null of a gateway. */
  path: string | null;
  /** The name on `<Workflow>`; null when it depends on the input. */
  workflowName: string | null;
  readableName: string | null;
  description: string | null;
  /** Why it does not load; null when it does. */
  problem: SerializedError | null;
}

/** A workflow with all that is known of it without running it. */
export type InspectedWorkflow = Pick<ListedWorkflow, "name" | "path"> & WorkflowInspection;

/** Workflows as commands read them, from files or a gateway. */
export interface WorkflowShelf {
  list(): Promise<ListedWorkflow[]>;
  /** @throws WORKFLOW_NOT_FOUND; as loadWorkflow */
  inspect(reference: string, input: Record<string, unknown>): Promise<InspectedWorkflow>;
}
