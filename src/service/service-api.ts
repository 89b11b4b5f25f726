import type { WorkflowNode } from "../util/element.js";
import type { ZodObject } from "zod";
import { components, type ServiceComponents } from "../components/components.js";
import { useCtx } from "../components/use-ctx.js";
import { resolveAlertPolicy } from "../engine/index.js";
import type { AlertHandler, AlertPolicy } from "../model/alert.js";
import type { WorkflowContext } from "../model/context.js";
import { noteWorkflow } from "../model/made-workflows.js";
import type { NamedLimits } from "../model/named-limit.js";
import type { OutputKeyOf, OutputTable, SchemaMap } from "../model/schema.js";
import type { SchemaRegistryEntry, ServiceWorkflow, ServiceWorkflowOptions } from "../model/workflow.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { WorkflowDatabase } from "../store/index.js";
import { isRecord } from "../util/is-record.js";
import { checkedLimits } from "./checked-limits.js";
import { sharedReconciler } from "../renderer/reconciler.js";

/** Options of every kind of database. */
export interface CommonServiceOptions {
  /** A name for people, kept on the workflow value. */
  readableName?: string;
  /** The purpose of the workflow, kept on the workflow value. */
  description?: string;
  /** For workflows that have none of their own, see docs/alerts.md. */
  alertPolicy?: AlertPolicy;
  /** Destinations of the reaction `deliver`, by name; for workflows that have none of their own. */
  alertHandlers?: Record<string, AlertHandler>;
  /**
   * Named limits that all runs of the database share, also in other processes: attempts at once
   * (`concurrency`), starts within any minute (`perMinute`), or both. Tasks and agents name them in `limit`;
   * workflows of one database that name the same limit declare it the same. See docs/concepts/limits.md.
   * @default none
   */
  limits?: NamedLimits;
}

export const COMMON_RULES = {
  readableName: rules.text,
  description: rules.text,
  alertPolicy: rules.record,
  alertHandlers: rules.record,
  limits: rules.record,
} satisfies rules.OptionRules<CommonServiceOptions>;

const WORKFLOW_RULES = {
  alertPolicy: rules.record,
  alertHandlers: rules.record,
  cache: rules.flag,
  workflowHash: rules.text,
  workflowModules: rules.texts,
  workflowLoaded: rules.checked("a list of loaded files", Array.isArray),
} satisfies rules.OptionRules<ServiceWorkflowOptions>;

/** The result of `createService`: typed components, the context hook, and the workflow wrapper. */
export interface ServiceApi<S extends SchemaMap, Db = WorkflowDatabase> extends ServiceComponents<S> {
  /** The context of the workflow around the calling component. @throws CONTEXT_OUTSIDE_WORKFLOW */
  useCtx(): WorkflowContext<S>;
  /** Makes a workflow value of a build function; normally a workflow file's default export. */
  service(
    build: (ctx: WorkflowContext<S>) => WorkflowNode,
    opts?: ServiceWorkflowOptions,
  ): ServiceWorkflow<S>;
  /** drizzle on the workflow's database, opened at the first use. */
  readonly db: Db;
  /** Generated drizzle tables by schema key. */
  readonly tables: { readonly [K in OutputKeyOf<S>]: OutputTable<K> };
  /** The schema objects that were passed in, without `input`. Of one that stands under several keys each has a copy. */
  readonly outputs: { readonly [K in OutputKeyOf<S>]: S[K] };
}

/** Tables and handle of the database that a workflow keeps its runs in. Its shape names no package but zod. */
interface ServiceTables {
  db: unknown;
  tables: Readonly<Record<string, OutputTable>>;
  derived: { readonly outputs: ReadonlyMap<string, { readonly schema: ZodObject }> };
}

/** @throws INVALID_INPUT for what are no schemas */
export function checkSchemas(schemas: unknown): void {
  if (!isRecord(schemas)) refuseOption("schemas", "an object of zod schemas by key", schemas);
}

/** Typed components and wrapper of workflows on a database. */
export function serviceApi<S extends SchemaMap, Db>(
  database: ServiceTables,
  options: CommonServiceOptions,
): ServiceApi<S, Db> {
  const { readableName, description } = options;
  const { derived, tables } = database;
  const limits = checkedLimits(options.limits ?? {});
  const outputs = Object.fromEntries([...derived.outputs].map(([key, { schema }]) => [key, schema]));
  const schemaRegistry = new Map<string, SchemaRegistryEntry>(
    [...derived.outputs].map(([key, { schema }]) => [key, { table: tables[key], zodSchema: schema }]),
  );
  const zodToKeyName = new Map<ZodObject, string>(
    [...derived.outputs].map(([key, { schema }]) => [schema, key]),
  );
  const api = {
    ...components,
    useCtx,
    db: database.db,
    tables,
    outputs,
    service(build: (ctx: WorkflowContext<S>) => WorkflowNode, opts: ServiceWorkflowOptions = {}) {
      const own = checkOptions("service", opts, WORKFLOW_RULES);
      const { alertPolicy = options.alertPolicy, alertHandlers = options.alertHandlers } = own;
      resolveAlertPolicy(alertPolicy, alertHandlers);
      // Who has a workflow renders it: React's part is loaded with the modules, not while a run waits for it.
      sharedReconciler();
      const workflow = {
        ...(readableName !== undefined && { readableName }),
        ...(description !== undefined && { description }),
        db: database.db,
        limits,
        build,
        opts: {
          ...own,
          ...(alertPolicy !== undefined && { alertPolicy }),
          ...(alertHandlers !== undefined && { alertHandlers }),
        },
        schemaRegistry,
        zodToKeyName,
      };
      noteWorkflow(workflow);
      return workflow;
    },
  };
  // The components exist once; the schemas only narrow their types, which the compiler cannot see from the values.
  return api as unknown as ServiceApi<S, Db>;
}
