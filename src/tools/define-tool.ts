import type { z } from "zod";
import { ServiceError } from "../errors/service-error.js";
import type { OutputSide, ValueSchema } from "../model/row-schema.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { type AgentTool, type ToolRevertContext, ambientToolContext, refuseDeepInput } from "./agent-tool.js";
import { orAborted, runToolCall } from "./tool-call.js";

/** The task that a custom tool works for, as its `execute` sees it. */
export interface ToolExecutionContext {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly rootDir: string;
  readonly allowNetwork: boolean;
  readonly toolName: string;
  /**
   * The n-th call of this tool has the same key in every attempt of the task, and
   * no other call has it. Hand it to services that can deduplicate.
   */
  readonly idempotencyKey: string;
  /** Fires on cancel, time-out and shutdown. */
  readonly signal: AbortSignal;
}

/** A tool: its description for the model, and its function. */
export interface ToolDefinition<Schema extends ValueSchema, Output> {
  /** 1 to 64 letters, digits, `_` or `-`. */
  name: string;
  /** Its description for the model. @default "" */
  description?: string;
  /** Shape of the arguments; the model sees it as JSON Schema. */
  schema: Schema;
  /** Whether a call changes something outside its own result. @default false */
  sideEffect?: boolean;
  /** Whether a repeated call does no harm. @default whether it has no side effect */
  idempotent?: boolean;
  execute(args: OutputSide<Schema>, ctx: ToolExecutionContext): Output | Promise<Output>;
  /**
   * Undoes a call, when its run goes back to before it. Called at least once; `result` is undefined where it is not known.
   * Needs `sideEffect`. @default none: such calls keep a run from going back
   */
  revert?(
    args: OutputSide<Schema>,
    result: NoInfer<Output> | undefined,
    ctx: ToolRevertContext,
  ): void | Promise<void>;
}

const RULES = {
  name: rules.required(rules.text),
  description: rules.withDefault(rules.text, ""),
  schema: rules.required(rules.record),
  sideEffect: rules.withDefault(rules.flag, false),
  idempotent: rules.flag,
  execute: rules.required(rules.callback),
  revert: rules.callback,
} satisfies rules.OptionRules<ToolDefinition<ValueSchema, unknown>>;

/**
 * A tool of your own, to be placed on an agent's `tools`.
 *
 * A call ends with `TOOL_TIMEOUT` after the context's `toolTimeoutMs`, whether or
 * not `execute` listens to `ctx.signal`.
 * @throws INVALID_INPUT for a name that providers would refuse, and for an option that is unknown or not as described
 */
export function defineTool<Schema extends ValueSchema, Output>(
  definition: ToolDefinition<Schema, Output>,
): AgentTool<OutputSide<Schema>, Output> {
  const checked = checkOptions(
    "defineTool",
    definition as unknown as ToolDefinition<ValueSchema, unknown>,
    RULES,
  );
  const { name, schema, description, sideEffect, idempotent = !sideEffect } = checked;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    throw new ServiceError("INVALID_INPUT", `"${name}" cannot be the name of a tool.`, {
      details: { issues: [{ path: "name", message: "must be 1 to 64 letters, digits, _ or -" }] },
    });
  }
  const { revert } = definition;
  if (revert !== undefined && !sideEffect) {
    throw new ServiceError("INVALID_INPUT", `Tool ${name} has a revert and no side effect.`, {
      details: { issues: [{ path: "sideEffect", message: "must be true for a tool with revert" }] },
    });
  }
  return {
    name,
    description,
    inputSchema: schema as unknown as z.ZodType<OutputSide<Schema>>,
    sideEffect,
    idempotent,
    execute: (args, options) =>
      runToolCall(
        {
          toolName: name,
          context: ambientToolContext(),
          options,
          sideEffect,
          ...(revert && { undoable: { args } }),
        },
        async (call) => {
          const { runId, nodeId, iteration, attempt, rootDir, allowNetwork } = call.context;
          const { idempotencyKey, signal } = call;
          const ctx = { runId, nodeId, iteration, attempt, rootDir, allowNetwork };
          refuseDeepInput(name, args);
          return orAborted(signal, () =>
            definition.execute(args, { ...ctx, toolName: name, idempotencyKey, signal }),
          );
        },
      ),
    ...(revert && { revert: (args, result, ctx) => definition.revert?.(args, result, ctx) }),
  };
}
