import { TOOL_MS } from "../buckets.js";
import { Counter } from "../counter.js";
import { Histogram } from "../histogram.js";

/** Built-in and custom tools, and tools made from OpenAPI documents. */
export const toolMetrics = {
  toolCallsTotal: new Counter("service_tool_calls_total", "Calls of built-in and custom tools."),
  toolCallsErrorsTotal: new Counter("service_tool_calls_errors_total", "Calls of those tools that failed."),
  toolOutputTruncatedTotal: new Counter(
    "service_tool_output_truncated_total",
    "Calls of those tools whose output was cut.",
  ),
  toolDurationMs: new Histogram("service_tool_duration_ms", "Milliseconds of one call of those tools.", {
    bounds: TOOL_MS,
  }),
  openapiToolCalls: new Counter("service_openapi_tool_calls", "Calls of tools made from OpenAPI documents."),
  openapiToolCallErrors: new Counter(
    "service_openapi_tool_call_errors",
    "Calls of OpenAPI tools that got no response, or one that says the call failed.",
  ),
  openapiToolDurationMs: new Histogram(
    "service_openapi_tool_duration_ms",
    "Milliseconds of one call of an OpenAPI tool.",
    { bounds: TOOL_MS },
  ),
};
