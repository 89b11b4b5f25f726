import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { httpStatusOf } from "../../errors/codes.js";
import { docsPathOf } from "../../errors/docs-url.js";
import { clientError, type SentError } from "../../operations/index.js";

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
export function errorResponse(c: Context, thrown: unknown): Response {
  const { status, body } = describeFailure(thrown);
  // A webhook's signature is no token that its sender could be asked for.
  if (body.error.code === "UNAUTHORIZED") c.header("WWW-Authenticate", "Bearer");
  return c.json(body, status as ContentfulStatusCode);
}
