import { ServiceError } from "../../errors/service-error.js";
import { carriesCredential } from "../../network/credential-header.js";
import { once } from "../../util/once.js";

/**
 * The origins that get the default headers; undefined when any may have them, which is said once when a
 * credential is among them: the model names the address.
 * @throws INVALID_INPUT naming the entry that is no origin
 */
export function originsOf(
  allowed: readonly string[] | undefined,
  defaultHeaders: Readonly<Record<string, string>>,
): ReadonlySet<string> | undefined {
  if (allowed !== undefined) return new Set(allowed.map(originOf));
  if (Object.entries(defaultHeaders).some(carriesCredential)) warnOfUnbound();
  return undefined;
}

const warnOfUnbound = once(() =>
  process.emitWarning(
    'A tool of createHttpTool sends default headers with credentials to every address that it is given. List the origins that may have them: allowedOrigins: ["https://api.example.com"].',
  ),
);

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
