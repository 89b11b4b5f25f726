import type { ReactNode } from "react";
import type { ZodObject } from "zod";
import type { AlertPolicy } from "./alert.js";
import type { WorkflowContext } from "./context.js";
import type { SchemaMap } from "./schema.js";

export interface ServiceWorkflowOptions {
  alertPolicy?: AlertPolicy;
  /** Caches every agent and compute task, as `<Workflow cache>` does. */
  cache?: boolean;
  workflowHash?: string;
}

export interface SchemaRegistryEntry {
  /** Generated drizzle table. */
  table: unknown;
  zodSchema: ZodObject;
}

/** What `service(build, opts?)` returns: normally the default export of a workflow file. */
export interface ServiceWorkflow<S extends SchemaMap = SchemaMap> {
  readableName?: string;
  description?: string;
  /** Opaque handle of the database; `ServiceDb` is built from it. */
  db?: unknown;
  build(ctx: WorkflowContext<S>): ReactNode;
  opts: ServiceWorkflowOptions;
  schemaRegistry?: Map<string, SchemaRegistryEntry>;
  /** Schema object to its key. */
  zodToKeyName?: Map<ZodObject, string>;
}
