import { httpStatusOf } from "../../errors/codes.js";
import { docsPathOf } from "../../errors/docs-url.js";
import { clientError, type SentError } from "../../operations/index.js";
import { jsonResponse } from "./json-response.js";

/** An error as clients see it. */
export interface ErrorBody {
  /** `docsUrl`: a place in the documentation that is installed with the library. */
  error: SentError & { docsUrl: string };
}

export function describeFailure(thrown: unknown): { status: number; body: ErrorBody } {
  const error = clientError(thrown);
  return {
    status: httpStatusOf(error.code),
    body: { error: { ...error, docsUrl: docsPathOf(error.code) } },
  };
}

/** Answers with the error's status of the code table. */
export function errorResponse(thrown: unknown, headers: Record<string, string> = {}): Response {
  const { status, body } = describeFailure(thrown);
  // A webhook's signature is no token that its sender could be asked for.
  const asked = body.error.code === "UNAUTHORIZED" && { "WWW-Authenticate": "Bearer" };
  return jsonResponse(body, { status, headers: { ...headers, ...asked } });
}
