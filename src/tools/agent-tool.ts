import type { z } from "zod";
import { ServiceError } from "../errors/service-error.js";
import { DEEPEST_INPUT, isNestedDeeper } from "../util/nesting.js";
import { createToolContext, currentToolContext, type ToolContext } from "./tool-context.js";
import { runToolCall, type ToolCall, type ToolCallOptions } from "./tool-call.js";

/** The call that a tool's `revert` undoes. */
export interface ToolRevertContext {
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  /** Of the call. */
  readonly attempt: number;
  readonly rootDir: string;
  readonly allowNetwork: boolean;
  readonly toolName: string;
  /** `failed`: the call threw. `unknown`: the process died during it. Either may have changed something. */
  readonly outcome: "done" | "failed" | "unknown";
  /**
   * Key of the call with `:revert` after it. A revert that died is called again with the same key.
   */
  readonly idempotencyKey: string;
  /** Fires after the run's `toolTimeoutMs`. */
  readonly signal: AbortSignal;
}

/**
 * A tool as the AI SDK takes it. The shape is produced here by hand, because the
 * SDK is heavy and its own `tool()` only returns its argument.
 */
export interface AgentTool<Input, Output> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  /** Whether a call changes something outside its own result. */
  readonly sideEffect: boolean;
  /** Whether a repeated call with the same input leaves things as one call does. */
  readonly idempotent: boolean;
  execute(input: Input, options?: ToolCallOptions): Promise<Output>;
  /** Undoes a call; absent where the tool cannot. `result` is undefined where it is not known. */
  revert?(args: Input, result: Output | undefined, ctx: ToolRevertContext): unknown;
}

export interface BuiltinDefinition<Input> {
  name: string;
  description: string;
  /** Made at the first use: a process that only imports the library has no need of it. */
  inputSchema: () => z.ZodType<Input>;
  sideEffect: boolean;
  idempotent: boolean;
  run(input: Input, call: ToolCall): Promise<string>;
}

/** A built-in tool of `context`; without one, of the context that each call runs in. */
export function builtinTool<Input>(
  definition: BuiltinDefinition<Input>,
  context?: ToolContext,
): AgentTool<Input, string> {
  const { run, inputSchema, ...shape } = definition;
  return {
    ...shape,
    get inputSchema() {
      return inputSchema();
    },
    execute: (input, options) =>
      runToolCall(
        {
          toolName: shape.name,
          context: context ?? ambientToolContext(),
          options,
          sideEffect: shape.sideEffect,
        },
        (call) => run(parseInput(shape.name, inputSchema(), input), call),
      ),
  };
}

/** The current context, or one with the safe defaults for calls outside any task. */
export function ambientToolContext(): ToolContext {
  return currentToolContext() ?? createToolContext();
}

/**
 * Deeper input than any tool needs would break whatever walks it later: printing, storing, sending.
 * @throws INVALID_INPUT
 */
export function refuseDeepInput(toolName: string, input: unknown): void {
  if (!isNestedDeeper(input, DEEPEST_INPUT)) return;
  const message = `objects and lists are nested deeper than ${DEEPEST_INPUT} levels`;
  throw new ServiceError("INVALID_INPUT", `Input of tool ${toolName} is not valid: ${message}.`, {
    details: { issues: [{ path: "", message }] },
  });
}

/** Calls from code skip the SDK's validation, so built-in tools check their input themselves. */
export function parseInput<Input>(toolName: string, schema: z.ZodType<Input>, input: unknown): Input {
  refuseDeepInput(toolName, input);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const code = issues.some(({ path }) => path === "path") ? "TOOL_PATH_INVALID" : "INVALID_INPUT";
  throw new ServiceError(
    code,
    `Input of tool ${toolName} is not valid: ${issues.map(({ path, message }) => `${path || "input"}: ${message}`).join("; ")}.`,
    { details: { issues } },
  );
}
