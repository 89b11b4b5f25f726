import { type ExternalNode, externalElement } from "../components/external/external-element.js";
import { type SerializedContext, serializeContext } from "../components/external/serialize-context.js";
import { ensureError } from "../errors/ensure-error.js";
import { ServiceError } from "../errors/service-error.js";
import type { AgentLike } from "../model/agent.js";
import type { WorkflowContext } from "../model/context.js";
import type { NamedLimits } from "../model/named-limit.js";
import type { SchemaMap } from "../model/schema.js";
import type { ServiceWorkflow } from "../model/workflow.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { ServiceDb } from "../store/index.js";
import { createService } from "./create-service.js";
import type { ServiceApi } from "./service-api.js";

/** Options of a workflow whose tree comes from outside. */
export interface ExternalServiceOptions<S extends SchemaMap = SchemaMap> {
  /** As for `createService`: `input` and one entry per output. Outputs are named by these keys in the tree. */
  schemas: S;
  /** The agents that `agent` and `fallbackAgent` of the tree name. @default none */
  agents?: Readonly<Record<string, AgentLike>>;
  /**
   * The tree for the run as it stands. Called for every frame, so equal contexts
   * must give equal trees. It answers at once: an asynchronous source is asked
   * beforehand, or with a synchronous call.
   */
  buildFn(ctx: SerializedContext): ExternalNode;
  /** SQLite file. @default as for `createService` */
  dbPath?: string;
  /** As for `createService`. @default none */
  limits?: NamedLimits;
}

const RULES = {
  schemas: rules.required(rules.record),
  agents: rules.record,
  buildFn: rules.required(rules.callback),
  dbPath: rules.text,
  limits: rules.record,
} satisfies rules.OptionRules<ExternalServiceOptions>;

/** A workflow as any other, whose tree is data. */
export interface ExternalService<S extends SchemaMap = SchemaMap> extends ServiceWorkflow<S> {
  /** Generated drizzle tables by schema key. */
  readonly tables: ServiceApi<S>["tables"];
  /** Closes the database, for good: the workflow value is of no use afterwards. Calling it twice is allowed. */
  cleanup(): Promise<void>;
}

/**
 * A workflow whose tree comes from a function of JSON to JSON, such as a program
 * in another language prints it, in place of TSX.
 *
 * @throws SCHEMA_INCOMPATIBLE a schema holds a type that cannot be stored
 * @throws EXTERNAL_BUILD_FAILED, from whatever renders: `buildFn` throws, answers
 * with a promise, or its tree is not made of elements and known agents
 * @example
 * const workflow = createExternalService({
 *   schemas: { note: z.object({ text: z.string() }) },
 *   buildFn: (ctx) => ({
 *     tag: "Workflow",
 *     props: { name: "outside" },
 *     children: [{ tag: "Task", props: { id: "a", output: "note" }, children: { text: ctx.runId } }],
 *   }),
 * });
 */
export function createExternalService<const S extends SchemaMap>(
  options: ExternalServiceOptions<S>,
): ExternalService<S> {
  checkOptions<ExternalServiceOptions, typeof RULES>("createExternalService", options, RULES);
  const { schemas, agents = {}, buildFn, dbPath, limits } = options;
  const { service, tables } = createService(schemas, {
    ...(dbPath !== undefined && { dbPath }),
    ...(limits !== undefined && { limits }),
  });
  // The context is handed out as JSON, where the types of the schemas are of no use.
  const build = (ctx: unknown) =>
    externalElement(builtTree(buildFn, serializeContext(ctx as WorkflowContext)), agents);
  const workflow = service(build);
  return {
    ...workflow,
    tables,
    async cleanup() {
      await new ServiceDb(workflow.db).store.close();
    },
  };
}

function builtTree(buildFn: ExternalServiceOptions["buildFn"], ctx: SerializedContext): ExternalNode {
  let tree: ExternalNode;
  try {
    tree = buildFn(ctx);
  } catch (thrown) {
    const cause = ensureError(thrown);
    if (ServiceError.is(cause, "EXTERNAL_BUILD_FAILED")) throw cause;
    throw new ServiceError(
      "EXTERNAL_BUILD_FAILED",
      `The build function threw for run ${ctx.runId}: ${cause.message}`,
      { cause, details: { runId: ctx.runId } },
    );
  }
  if (typeof (tree as { then?: unknown } | null)?.then !== "function") return tree;
  throw new ServiceError(
    "EXTERNAL_BUILD_FAILED",
    `The build function returned a promise for run ${ctx.runId}; a tree is expected at once.`,
    { details: { runId: ctx.runId } },
  );
}
