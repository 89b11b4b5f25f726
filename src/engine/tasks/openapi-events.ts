import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { OPENAPI_CALL_CHANNEL, type OpenApiCall } from "../../openapi/call-report.js";
import { currentToolContext, type ToolContext } from "../../tools/tool-context.js";

/**
 * Runs `work` and hands it the OpenAPI calls that are made on behalf of `context`.
 * The channel is one for the process, so several attempts listen at once; a call
 * is reported in the async context it was made in, which names its attempt.
 */
export async function withOpenApiCalls<T>(
  context: ToolContext,
  onCall: (call: OpenApiCall) => void,
  work: () => Promise<T>,
): Promise<T> {
  const listener = (message: unknown) => {
    if (currentToolContext() === context) onCall(message as OpenApiCall);
  };
  subscribe(OPENAPI_CALL_CHANNEL, listener);
  try {
    return await work();
  } finally {
    unsubscribe(OPENAPI_CALL_CHANNEL, listener);
  }
}
