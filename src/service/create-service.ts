import { join, resolve } from "node:path";
import type { WorkflowNode } from "../util/element.js";
import { isRecord } from "../util/is-record.js";
import type { ZodObject } from "zod";
import { components, type ServiceComponents } from "../components/components.js";
import { useCtx } from "../components/use-ctx.js";
import { resolveAlertPolicy } from "../engine/index.js";
import type { AlertHandler, AlertPolicy } from "../model/alert.js";
import type { WorkflowContext } from "../model/context.js";
import type { NamedLimits } from "../model/named-limit.js";
import type { OutputKeyOf, OutputTable, SchemaMap } from "../model/schema.js";
import type { SchemaRegistryEntry, ServiceWorkflow, ServiceWorkflowOptions } from "../model/workflow.js";
import { checkOptions, refuseOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import {
  chosenDatabase,
  createSqliteDb,
  DATABASE_FILE,
  findWorkspaceFolder,
  JOURNAL_MODES,
  type JournalMode,
  type WorkflowDatabase,
} from "../store/index.js";
import { checkedLimits } from "./checked-limits.js";
import { sharedReconciler } from "../renderer/reconciler.js";

/** Options of `createService` beside the schemas. */
export interface CreateServiceOptions {
  /** A name for people, kept on the workflow value. */
  readableName?: string;
  /** The purpose of the workflow, kept on the workflow value. */
  description?: string;
  /** For workflows that have none of their own, see docs/alerts.md. */
  alertPolicy?: AlertPolicy;
  /** Destinations of the reaction `deliver`, by name; for workflows that have none of their own. */
  alertHandlers?: Record<string, AlertHandler>;
  /**
   * SQLite file, relative to the current directory, or `:memory:`.
   * @default the environment variable SERVICE_DB, else service.db of the nearest parent folder that has one (or a `.service` folder), else of the current folder
   */
  dbPath?: string;
  /** Of SQLite. @default what the database has; "WAL" for a new one */
  journalMode?: JournalMode;
  /**
   * `full`: an acknowledged output survives a power failure. `normal`: it
   * survives a crash of the process; a power failure may take the last moments.
   * @default "full"
   */
  synchronous?: "full" | "normal";
  /**
   * Named limits that all runs of the database share, also in other processes: attempts at once
   * (`concurrency`), starts within any minute (`perMinute`), or both. Tasks and agents name them in `limit`;
   * workflows of one database that name the same limit declare it the same. See docs/concepts/limits.md.
   * @default none
   */
  limits?: NamedLimits;
}

const SERVICE_RULES = {
  readableName: rules.text,
  description: rules.text,
  alertPolicy: rules.record,
  alertHandlers: rules.record,
  dbPath: rules.text,
  journalMode: rules.checked(`one of ${JOURNAL_MODES.join(", ")}`, isJournalMode),
  synchronous: rules.withDefault(rules.oneOf(["full", "normal"]), "full"),
  limits: rules.record,
} satisfies rules.OptionRules<CreateServiceOptions>;

/** Case does not matter. */
function isJournalMode(value: unknown): boolean {
  return rules.text.fits(value) && JOURNAL_MODES.some((mode) => mode === value.toUpperCase());
}

const WORKFLOW_RULES = {
  alertPolicy: rules.record,
  alertHandlers: rules.record,
  cache: rules.flag,
  workflowHash: rules.text,
  workflowModules: rules.texts,
  workflowLoaded: rules.checked("a list of loaded files", Array.isArray),
} satisfies rules.OptionRules<ServiceWorkflowOptions>;

/** The result of `createService`: typed components, the context hook, and the workflow wrapper. */
export interface ServiceApi<S extends SchemaMap> extends ServiceComponents<S> {
  /** The context of the workflow around the calling component. @throws CONTEXT_OUTSIDE_WORKFLOW */
  useCtx(): WorkflowContext<S>;
  /** Makes a workflow value of a build function; normally a workflow file's default export. */
  service(
    build: (ctx: WorkflowContext<S>) => WorkflowNode,
    opts?: ServiceWorkflowOptions,
  ): ServiceWorkflow<S>;
  /** drizzle on the workflow's database. The file is opened at the first use. */
  readonly db: WorkflowDatabase;
  /** Generated drizzle tables by schema key. */
  readonly tables: { readonly [K in OutputKeyOf<S>]: OutputTable<K> };
  /** The schema objects that were passed in, without `input`. Of one that stands under several keys each has a copy. */
  readonly outputs: { readonly [K in OutputKeyOf<S>]: S[K] };
}

/**
 * The entry point of a workflow module: from schemas to typed components, tables
 * and a `service` wrapper. `input` is reserved for the run's input; every other
 * key is an output with a table of its own. Opens no database.
 *
 * @throws INVALID_INPUT for schemas or options that are not as described
 * @throws SCHEMA_INCOMPATIBLE a schema holds a type that cannot be stored
 * @throws ALERT_POLICY_INVALID from `service`
 * @example
 * const { Workflow, Task, service, outputs } = createService({ greeting: z.object({ text: z.string() }) });
 * export default service(() => (
 *   <Workflow name="hello">
 *     <Task id="greet" output={outputs.greeting}>{{ text: "hello" }}</Task>
 *   </Workflow>
 * ));
 */
export function createService<const S extends SchemaMap>(
  schemas: S,
  opts: CreateServiceOptions = {},
): ServiceApi<S> {
  if (!isRecord(schemas)) refuseOption("schemas", "an object of zod schemas by key", schemas);
  const checked = checkOptions("createService", opts, SERVICE_RULES);
  const { readableName, description, dbPath, journalMode, synchronous } = checked;
  const limits = checkedLimits(checked.limits ?? {});
  const { store, derived, tables, ...handle } = createSqliteDb({
    path: dbPath ?? chosenDatabase() ?? (process.env.SERVICE_DB || defaultDbPath(process.cwd())),
    schemas,
    ...(journalMode !== undefined && { journalMode }),
    synchronous,
  });
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
    db: handle.db,
    tables,
    outputs,
    service(build: (ctx: WorkflowContext<S>) => WorkflowNode, options: ServiceWorkflowOptions = {}) {
      const own = checkOptions("service", options, WORKFLOW_RULES);
      const { alertPolicy = checked.alertPolicy, alertHandlers = checked.alertHandlers } = own;
      resolveAlertPolicy(alertPolicy, alertHandlers);
      // Who has a workflow renders it: React's part is loaded with the modules, not while a run waits for it.
      sharedReconciler();
      return {
        ...(readableName !== undefined && { readableName }),
        ...(description !== undefined && { description }),
        db: handle.db,
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
    },
  };
  // The components exist once; the schemas only narrow their types, which the compiler cannot see from the values.
  return api as unknown as ServiceApi<S>;
}

/** The workspace's database: the nearest parent folder that has one, else the current folder. */
function defaultDbPath(from: string): string {
  return join(findWorkspaceFolder(from) ?? resolve(from), DATABASE_FILE);
}
