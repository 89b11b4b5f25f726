import { ServiceError } from "../../errors/service-error.js";
import { carriesCredential } from "../../network/credential-header.js";
import { createRedactor, type Redactor } from "../../util/redactor.js";
import { decodedBasic } from "../../util/secret-spellings.js";
import { type AgentTool, ambientToolContext, parseInput } from "../agent-tool.js";
import { checkOptions } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { runToolCall } from "../tool-call.js";
import { currentToolContext } from "../tool-context.js";
import { type HttpToolInput, httpToolInputSchema, type HttpToolOutput } from "./http-input.js";
import { toHttpOutput } from "./http-output.js";
import { buildHttpRequest, type HttpDefaults } from "./http-request.js";
import { orHttpFailed, sendRequest } from "./send-request.js";

/** Headers that an HTTP tool sends by itself, and the addresses it may reach. */
export interface HttpToolOptions {
  /** Its description for the model; name the service and its purpose. */
  description?: string;
  /** Sent with every request to one of `allowedOrigins`; headers of the input win. */
  defaultHeaders?: Readonly<Record<string, string>>;
  /**
   * Origins such as `https://api.example.com` that get `defaultHeaders`. A request to another origin,
   * or a redirect to any, goes without them. Required when a default header carries a credential.
   * @default every origin that a request names
   */
  allowedOrigins?: readonly string[];
  /**
   * Addresses that no request and no redirect may reach, checked when the connection is made. `true`:
   * link-local addresses and those where cloud machines hand out credentials. `"all"`: also loopback
   * and private networks. @default true
   */
  denyPrivate?: boolean | "all";
}

const RULES = {
  description: rules.text,
  defaultHeaders: rules.secret(rules.textsByName),
  allowedOrigins: rules.texts,
  denyPrivate: rules.withDefault(
    rules.checked('true, false or "all"', (value) => value === "all" || rules.flag.fits(value)),
    true,
  ),
} satisfies rules.OptionRules<HttpToolOptions>;

const DESCRIPTION = "Sends an HTTP request and returns status, headers and body of the response.";

/**
 * A tool that sends HTTP requests. A response is a result whatever its status; only a request without a
 * response throws: INVALID_INPUT, TOOL_HTTP_FAILED, TOOL_ADDRESS_REFUSED or TOOL_TIMEOUT. `allowNetwork`
 * does not concern it: an author who gives it to an agent has allowed the network for it.
 * @throws INVALID_INPUT for default headers with credentials that no `allowedOrigins` bind
 */
export function createHttpTool(options: HttpToolOptions = {}): AgentTool<HttpToolInput, HttpToolOutput> {
  const { denyPrivate, allowedOrigins, ...given } = checkOptions("createHttpTool", options, RULES);
  const { description = DESCRIPTION, defaultHeaders = {} } = given;
  const refused = denyPrivate === "all" ? "private" : denyPrivate ? "metadata" : "none";
  const origins = originsOf(allowedOrigins, defaultHeaders);
  const defaults: HttpDefaults = { headers: defaultHeaders, origins, refused };
  const redactor = credentialRedactor(defaultHeaders);
  return {
    name: "http",
    description,
    get inputSchema() {
      return httpToolInputSchema();
    },
    sideEffect: true,
    idempotent: false,
    execute(input, callOptions) {
      const timeoutMs = timeLimit(input.timeoutMs);
      const request = {
        toolName: "http",
        context: ambientToolContext(),
        options: callOptions,
        timeoutMs,
        sideEffect: true,
      };
      return runToolCall(request, async (call) => {
        const valid = parseInput("http", httpToolInputSchema(), input);
        const sent = buildHttpRequest(valid, defaults);
        const response = await sendRequest(sent, call.signal);
        return orHttpFailed(sent, call.signal, () => toHttpOutput(response, call, redactor));
      });
    },
  };
}

/** The caller's limit; inside a task the task's limit holds as well. Undefined leaves it to the context. */
function timeLimit(requested: number | undefined): number | undefined {
  const limit = currentToolContext()?.toolTimeoutMs;
  if (requested === undefined || !(requested > 0)) return undefined;
  return limit === undefined ? requested : Math.min(requested, limit);
}

/**
 * The origins that get the default headers; undefined when any may have them.
 * @throws INVALID_INPUT naming the entry, or the header that needs origins
 */
function originsOf(
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

/** Shorter values are too common to cut out of a text. */
const SHORTEST_SECRET = 8;

/**
 * A service that repeats what it was sent must not hand the operator's credentials to the model and the
 * log: those among the default headers, of `Bearer abc` also `abc`, of Basic credentials also what is in them.
 */
function credentialRedactor(headers: Readonly<Record<string, string>>): Redactor {
  const values = Object.entries(headers)
    .filter(carriesCredential)
    .flatMap(([, value]) => [value, ...value.split(/[\s;,=]+/), ...decodedBasic(value)]);
  return createRedactor(values.filter((value) => value.length >= SHORTEST_SECRET));
}
