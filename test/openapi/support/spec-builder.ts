import type { OpenApiSpec } from "../../../src/openapi/index.js";

/** A document with these paths; `rest` adds or replaces top-level fields. */
export function specOf(paths: Record<string, unknown>, rest: Record<string, unknown> = {}): OpenApiSpec {
  return { openapi: "3.0.3", info: { title: "Test API", version: "1" }, paths, ...rest } as OpenApiSpec;
}

/** A document with one operation, `call`: GET /things by default. */
export function specOfOne(
  operation: Record<string, unknown> = {},
  {
    method = "get",
    path = "/things",
    ...rest
  }: { method?: string; path?: string } & Record<string, unknown> = {},
): OpenApiSpec {
  return specOf({ [path]: { [method]: { operationId: "call", ...operation } } }, rest);
}

/** A document whose one operation, `call`, is POST /things with this JSON body. */
export function specOfBody(schema: unknown, rest: Record<string, unknown> = {}): OpenApiSpec {
  const requestBody = { required: true, content: { "application/json": { schema } } };
  return specOfOne({ requestBody }, { method: "post", ...rest });
}
