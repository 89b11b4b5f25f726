import { z } from "zod";
import { once } from "../../util/once.js";

const httpMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

const authSchema = once(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("bearer"), token: z.string() }),
    z.strictObject({ type: z.literal("basic"), username: z.string(), password: z.string() }),
    z.strictObject({ type: z.literal("header"), name: z.string(), value: z.string() }),
  ]),
);

export const httpToolInputSchema = once(() =>
  z.strictObject({
    url: z.string().describe("Absolute http or https address."),
    method: z.enum(httpMethods).optional().describe("GET when left out."),
    headers: z.record(z.string(), z.string()).optional(),
    query: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]).optional())
      .optional()
      .describe("Added to the address; null values are left out."),
    body: z.unknown().optional().describe("An object is sent as JSON, a string as it is."),
    auth: authSchema().optional(),
    timeoutMs: z.number().int().positive().optional().describe("Milliseconds until the request is given up."),
  }),
);

/** `Authorization` in one of its two common forms, or any header. */
export type HttpToolAuth = z.infer<ReturnType<typeof authSchema>>;
/** A request of a model, or of code, to the HTTP tool. */
export type HttpToolInput = z.infer<ReturnType<typeof httpToolInputSchema>>;

/** A response, whatever its status. */
export interface HttpToolOutput {
  /** True for status 200 to 299. */
  ok: boolean;
  /** HTTP status: 200, 404 … */
  status: number;
  /** As the server words it; may be empty. */
  statusText: string;
  /** By lower-case name; several values of one name are joined by a comma. */
  headers: Record<string, string>;
  /** Parsed when the content type is JSON, text otherwise; null for an empty response. */
  body: unknown;
}
