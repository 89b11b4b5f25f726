import type { WorkflowNode } from "../util/element.js";
import type { ZodObject } from "zod";
import type { AlertHandler, AlertPolicy } from "./alert.js";
import type { WorkflowContext } from "./context.js";
import type { LoadedFile } from "./loaded-file.js";
import type { NamedLimits } from "./named-limit.js";
import type { SchemaMap } from "./schema.js";

/** The options of `service` beside the build function. */
export interface ServiceWorkflowOptions {
  /** Rules that watch the workflow's runs, see docs/alerts.md. */
  alertPolicy?: AlertPolicy;
  /** Destinations of the reaction `deliver`, by name. */
  alertHandlers?: Record<string, AlertHandler>;
  /** Caches every agent and compute task, unless `<Workflow cache={false}>` says otherwise. */
  cache?: boolean;
  /** Hash of the code, kept with each run; who loads a file fills it in. */
  workflowHash?: string;
  /** Absolute paths of the files that its code was loaded from, its own first, and of those that would be taken in their place; tools do not change them. The CLI fills it in. */
  workflowModules?: readonly string[];
  /** The files that its code was loaded from: kept with each run, and compared when it is resumed. The CLI fills it in. */
  workflowLoaded?: readonly LoadedFile[];
}

export interface SchemaRegistryEntry {
  /** Generated drizzle table. */
  table: unknown;
  zodSchema: ZodObject;
}

/** The value that `service(build, opts?)` returns: normally the default export of a workflow file. */
export interface ServiceWorkflow<S extends SchemaMap = SchemaMap> {
  /** A name for people. */
  readableName?: string;
  /** The purpose of the workflow. */
  description?: string;
  /** Limits that its tasks and agents may name, shared by all runs of the database. */
  limits?: NamedLimits;
  /** Opaque handle of the database; `ServiceDb` is built from it. */
  db?: unknown;
  /** The build function that `service` was given. Its context is typed there; here any will do, so that a workflow of every schema can be run. */
  build(ctx: WorkflowContext): WorkflowNode;
  /** Never set: carries the schemas in the type. */
  readonly $schemas?: S;
  /** The options that `service` was given beside the build function. */
  opts: ServiceWorkflowOptions;
  /** Table and schema of each output by its key. */
  schemaRegistry?: Map<string, SchemaRegistryEntry>;
  /** Schema object to its key. */
  zodToKeyName?: Map<ZodObject, string>;
}
