import { ServiceError } from "../../errors/service-error.js";
import { carriesCredential } from "../../network/credential-header.js";

/**
 * The origins that get the default headers; undefined when any may have them.
 * @throws INVALID_INPUT naming the entry, or the header that needs origins
 */
export function originsOf(
  allowed: readonly string[] | undefined,
  defaultHeaders: Readonly<Record<string, string>>,
): ReadonlySet<string> | undefined {
  if (allowed !== undefined) return new Set(allowed.map(originOf));
  const secret = Object.entries(defaultHeaders).find(carriesCredential);
  if (secret === undefined) return undefined;
  throw invalid(
    "allowedOrigins",
    `the default header "${secret[0]}" carries a credential; list the origins that may have it, such as ["https://api.example.com"]`,
  );
}

function originOf(text: string, index: number): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.href === `${url.origin}/` &&
    !text.includes("*");
  if (isOrigin) return url.origin;
  throw invalid(
    `allowedOrigins.${index}`,
    "expected an origin such as https://api.example.com: no path, no user, no pattern",
  );
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("INVALID_INPUT", `Options of createHttpTool are not valid: ${path}: ${message}.`, {
    details: { issues: [{ path, message }] },
  });
}
