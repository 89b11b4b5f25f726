import type { Context } from "hono";
import type { z } from "zod";
import { ServiceError } from "../../errors/service-error.js";
import { shorten } from "../../util/bounded-text.js";
import { isTooManyMembers, JSON_LIMITS } from "../../util/json-members.js";
import { isNestedDeeper } from "../../util/nesting.js";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Levels of a body; nothing that a host takes needs more. */
const DEEPEST_BODY = 64;

export interface BodyOptions<T> {
  schema: z.ZodType<T>;
  maxBytes: number;
}

/**
 * The body of a request as JSON that fits the schema; no body is `{}`.
 * @throws UNSUPPORTED_ENCODING; PAYLOAD_TOO_LARGE as soon as more than `maxBytes` have arrived; INVALID_JSON; INVALID_INPUT
 */
export async function readJson<T>(c: Context, { schema, maxBytes }: BodyOptions<T>): Promise<T> {
  refuseEncodings(c);
  const bytes = await readBody(c, maxBytes);
  const hasBody = bytes.length > 0;
  refuseUnasked(c, hasBody);
  return checkJson(hasBody ? parseJson(bytes) : {}, schema);
}

/** @throws UNSUPPORTED_ENCODING */
function refuseEncodings(c: Context): void {
  const encoding = c.req.header("content-encoding") ?? "identity";
  const [, charset = "utf-8"] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(c.req.header("content-type") ?? "") ?? [];
  const isPlain = /^(?:identity)?$/i.test(encoding.trim());
  if (isPlain && /^(?:utf-?8|us-ascii)$/i.test(charset)) return;
  const what = isPlain ? `in the charset ${shorten(charset, 40)}` : `encoded as ${shorten(encoding, 40)}`;
  throw new ServiceError("UNSUPPORTED_ENCODING", `The body is ${what}.`);
}

/** The bytes as they were sent. @throws PAYLOAD_TOO_LARGE */
export async function readBody(c: Context, maxBytes: number): Promise<Buffer> {
  const length = c.req.header("content-length");
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  try {
    // No more than so much arrives: as a whole it needs no stream.
    if (length === undefined) return await readChunks(c, maxBytes);
    const bytes = Buffer.from(await c.req.raw.arrayBuffer());
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  } catch (error) {
    if (ServiceError.is(error)) throw error;
    // Its sender has gone, or was too slow.
    throw new ServiceError("INVALID_INPUT", "The request broke off within its body.", { cause: error });
  }
}

async function readChunks({ req }: Context, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest of the stream.
  for await (const chunk of (req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A page may send every other type, none, and no body at all to a host that it could reach, without that being
 * asked first: browsers ask for JSON only. A browser's request names its origin.
 * @throws INVALID_JSON
 */
function refuseUnasked(c: Context, hasBody: boolean): void {
  const type = c.req.header("content-type");
  if (type !== undefined && JSON_TYPE.test(type)) return;
  const isOfPage = c.req.header("origin") !== undefined;
  const isOfOtherSite = isOfPage && /^(?:cross|same)-site$/i.test(c.req.header("sec-fetch-site") ?? "");
  if (hasBody ? type === undefined && !isOfPage : !isOfOtherSite) return;
  const what = type === undefined ? "no type" : `type ${JSON.stringify(shorten(type, 80))}`;
  throw new ServiceError("INVALID_JSON", `The body is of ${what}.`);
}

/** @throws INVALID_JSON; PAYLOAD_TOO_LARGE of one that would keep all others waiting while it is read */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notJson();
  }
  refuseTooManyMembers(text, "body");
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function notJson(): ServiceError {
  return new ServiceError("INVALID_JSON", "The body is not JSON in UTF-8.");
}

/** @throws PAYLOAD_TOO_LARGE */
export function refuseTooManyMembers(json: string, whole: "body" | "frame"): void {
  if (!isTooManyMembers(json)) return;
  throw new ServiceError("PAYLOAD_TOO_LARGE", `The ${whole} has more than ${JSON_LIMITS}.`);
}

/**
 * @param whole what the value is, for issues that concern all of it
 * @throws INVALID_INPUT naming each member that does not fit
 */
export function checkJson<T>(
  value: unknown,
  schema: z.ZodType<T>,
  whole: "body" | "query" | "params" = "body",
): T {
  if (isNestedDeeper(value, DEEPEST_BODY)) {
    throw new ServiceError("INVALID_INPUT", `The ${whole} is nested deeper than ${DEEPEST_BODY} levels.`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join(".") || `(${whole})`}: ${message}`,
  );
  throw new ServiceError("INVALID_INPUT", `The request does not fit: ${issues.slice(0, 10).join("; ")}.`, {
    details: { issues: issues.slice(0, 10) },
  });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBytes} bytes.`, {
    details: { maxBodyBytes: maxBytes },
  });
}
