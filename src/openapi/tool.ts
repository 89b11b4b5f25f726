import type { z } from "zod";
import { inSpan } from "../tracing/tracer.js";
import { systemClock } from "../util/clock.js";
import { DEEPEST_INPUT, isNestedDeeper } from "../util/nesting.js";
import { buildRequest, type OutgoingRequest } from "./build-request.js";
import { executionFailure, Unsendable } from "./call-failure.js";
import { reportCall } from "./call-report.js";
import { withDeadline } from "./deadline.js";
import type { LoadedSpec } from "./load-spec.js";
import type { OperationPlan } from "./operation-plan.js";
import type { OpenApiOperationCuration, OpenApiResponseExample, ResolvedOptions } from "./options.js";
import { resultOf } from "./result.js";
import { withinLength } from "./schema/describe.js";
import { send } from "./send.js";
import { serverUrlOf } from "./server-url.js";
import { asText } from "./spec.js";

/** The AI SDK's options for a tool call, besides its input. */
export interface OpenApiToolCallOptions {
  /** Ends the call. */
  abortSignal?: AbortSignal | undefined;
  /** The SDK's id of this call. */
  toolCallId?: string;
  /** The SDK's conversation so far, which no tool of ours looks at. */
  messages?: readonly unknown[];
  /** The SDK's own, which no tool of ours looks at. */
  experimental_context?: unknown;
}

/** One operation as a tool of the AI SDK. */
export interface OpenApiTool {
  description: string;
  /** Accepts an object with one property per parameter, and the JSON body. */
  inputSchema: z.ZodType<Record<string, unknown>>;
  /**
   * Performs the call. Resolves to the response body, or to an `OpenApiToolFailure` when the API answered
   * with another status than 2xx.
   * @throws OPENAPI_TOOL_EXECUTION_FAILED when no answer came, when the input does not fit, or when the
   * operation needs something that tools cannot send; the reason of an abort
   */
  execute(input: Record<string, unknown>, options?: OpenApiToolCallOptions): Promise<unknown>;
}

/** The tool of one planned operation. */
export function toTool(
  loaded: LoadedSpec,
  plan: OperationPlan,
  { options, curation }: { options: ResolvedOptions; curation: OpenApiOperationCuration | undefined },
): OpenApiTool {
  return {
    description: toolDescription(plan, curation),
    inputSchema: plan.inputSchema,
    async execute(input, { abortSignal, toolCallId } = {}) {
      const startedAtMs = systemClock.now();
      let status: "success" | "error" = "error";
      let httpStatus: number | undefined;
      try {
        const request = prepare(loaded, plan, { input, options });
        const response = await inSpan(spanOf(plan, toolCallId), async (span) => {
          const answer = await withDeadline({ timeoutMs: options.timeoutMs, outer: abortSignal }, (signal) =>
            send(request, { signal, maxBytes: options.maxResponseBytes }),
          );
          span?.set({ "http.response.status_code": answer.status });
          if (!answer.ok) span?.fail({ code: String(answer.status), message: `HTTP ${answer.status}` });
          return answer;
        });
        httpStatus = response.status;
        if (response.ok && response.text !== undefined) status = "success";
        return resultOf(response, { ...options, maxBytes: options.maxResponseBytes });
      } catch (error) {
        if (abortSignal?.aborted && error === abortSignal.reason) throw error;
        throw executionFailure(plan.operation, error, options.inErrors);
      } finally {
        const { id: operationId, method, path } = plan.operation;
        reportCall(
          {
            operationId,
            method,
            path,
            durationMs: systemClock.now() - startedAtMs,
            status,
            ...(httpStatus !== undefined && { httpStatus }),
          },
          options.onCall,
        );
      }
    },
  };
}

function spanOf({ operation: { id, method, path } }: OperationPlan, toolCallId: string | undefined) {
  const attributes = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": id,
    "gen_ai.tool.call.id": toolCallId,
    "gen_ai.tool.type": "function",
    "http.request.method": method,
    "url.template": path,
  };
  return { name: `execute_tool ${id}`, kind: "client", attributes } as const;
}

function prepare(
  loaded: LoadedSpec,
  plan: OperationPlan,
  { input, options }: { input: Record<string, unknown>; options: ResolvedOptions },
): OutgoingRequest {
  if (plan.obstacle !== undefined) throw new Unsendable(plan.obstacle.replace(/\.$/, ""));
  if (isNestedDeeper(input, DEEPEST_INPUT)) {
    throw new Unsendable(`the input is nested deeper than ${DEEPEST_INPUT} levels`);
  }
  const parsed = plan.inputSchema.safeParse(input);
  if (!parsed.success) throw new Unsendable(`the input does not fit: ${issueText(parsed.error)}`);
  const server = options.baseUrl ?? serverUrlOf(loaded, plan.operation);
  if (typeof server === "string") throw new Unsendable(server);
  return buildRequest(plan, { input: parsed.data, server, options });
}

function issueText({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.map(String).join(".") || "input"}: ${message}`).join("; ");
}

/** Longest description taken from a document; some hold whole manuals. */
const LONGEST_DESCRIPTION = 1_024;

/**
 * A tool's description for the model: the curated description, else the summary,
 * else the description, else method and path; then the parts that the tool cannot send,
 * then examples of responses.
 */
function toolDescription(plan: OperationPlan, curation: OpenApiOperationCuration | undefined): string {
  const { operation, method, path } = plan.operation;
  const fromDocument =
    asText(operation["summary"]) ?? asText(operation["description"]) ?? `${method} ${path}`;
  const text = curation?.description ?? withinLength(fromDocument, LONGEST_DESCRIPTION);
  const notes = plan.notes.map((note) => `Note: ${note}`);
  return [text, ...notes, ...exampleText(curation?.responseExamples)].join("\n\n");
}

function exampleText(examples: readonly OpenApiResponseExample[] = []): string[] {
  if (examples.length === 0) return [];
  const lines = examples.map(({ status, description, value }) => {
    const label = [status, description].filter((part) => part !== undefined).join(" ");
    return `- ${label === "" ? "" : `${label}: `}${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  return [`Response examples:\n${lines.join("\n")}`];
}
