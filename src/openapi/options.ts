import type { OpenApiCall } from "./call-report.js";
import { type Credentials, credentialsOf, type OpenApiAuth } from "./credentials.js";
import { checkOptions, readOption } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { OpenApiWarning } from "./warning.js";

/** One example of a response, shown to the model in a tool's description. */
export interface OpenApiResponseExample {
  status?: string | number;
  description?: string;
  value: unknown;
}

/** How one operation appears as a tool. */
export interface OpenApiOperationCuration {
  /** `false` leaves the operation out. @default true */
  include?: boolean;
  /** Name of the tool: 1 to 64 letters, digits, `_` and `-`, counting `namePrefix`. */
  name?: string;
  /** Takes the place of the document's summary or description. */
  description?: string;
  responseExamples?: OpenApiResponseExample[];
}

/** Which operations of a document become tools, and how they call the API. */
export interface OpenApiToolsOptions {
  /** Absolute `http(s)` URL that paths are appended to. @default the document's first server */
  baseUrl?: string;
  /** Sent with every request. A model can neither see nor override them. */
  headers?: Record<string, string>;
  /** Applied to every request. A model can neither see nor override it. */
  auth?: OpenApiAuth;
  /** Operation ids to make tools of. @default all */
  include?: string[];
  /** Operation ids to leave out; wins over `include`. @default [] */
  exclude?: string[];
  /** Put before every tool name. Filters go by the operation id without it. @default "" */
  namePrefix?: string;
  /** By operation id: `false` leaves an operation out, an object says how it appears. @default {} */
  operations?: Record<string, false | OpenApiOperationCuration>;
  /** Milliseconds for one call, its redirects and its response. @default 60000 */
  timeoutMs?: number;
  /** Largest response body that is read, in bytes. @default 1048576 */
  maxResponseBytes?: number;
  /** Called after every call, also a failed one. Errors that it throws are dropped. */
  onCall?: (call: OpenApiCall) => void;
  /** Called while tools are made, for everything in the document that they cannot honour. */
  onWarning?: (warning: OpenApiWarning) => void;
}

const FINITE = rules.checked<number>(
  "a number above 0",
  (value) => rules.positiveNumber.fits(value) && value !== Number.POSITIVE_INFINITY,
);

const RULES = {
  // Secret: what is refused may be refused for its credentials.
  baseUrl: rules.secret(
    rules.checked<string>(
      "an absolute http or https URL without credentials, which are for `auth`",
      isBaseUrl,
    ),
  ),
  headers: rules.secret(rules.textsByName),
  // Checked with their members below.
  auth: rules.record,
  include: rules.texts,
  exclude: rules.withDefault(rules.texts, []),
  namePrefix: rules.withDefault(rules.text, ""),
  operations: rules.withDefault(rules.record, {}),
  timeoutMs: rules.withDefault(FINITE, 60_000),
  maxResponseBytes: rules.withDefault(rules.positiveInteger, 1_048_576),
  onCall: rules.callback,
  onWarning: rules.callback,
} satisfies rules.OptionRules<OpenApiToolsOptions>;

const AUTH_RULES = {
  apiKey: {
    type: rules.required(rules.oneOf(["apiKey"])),
    name: rules.required(rules.name),
    value: rules.secret(rules.required(rules.name)),
    in: rules.required(rules.oneOf(["header", "query"])),
  } satisfies rules.OptionRules<AuthOf<"apiKey">>,
  bearer: {
    type: rules.required(rules.oneOf(["bearer"])),
    token: rules.secret(rules.required(rules.name)),
  } satisfies rules.OptionRules<AuthOf<"bearer">>,
  basic: {
    type: rules.required(rules.oneOf(["basic"])),
    username: rules.secret(rules.required(rules.text)),
    password: rules.secret(rules.required(rules.text)),
  } satisfies rules.OptionRules<AuthOf<"basic">>,
};

const CURATION_RULES = {
  include: rules.withDefault(rules.flag, true),
  name: rules.text,
  description: rules.text,
  responseExamples: rules.checked("a list of {status?, description?, value}", Array.isArray),
} satisfies rules.OptionRules<OpenApiOperationCuration>;

const EXAMPLE_RULES = {
  status: rules.checked(
    "a string or a number",
    (value) => rules.text.fits(value) || rules.number.fits(value),
  ),
  description: rules.text,
  value: rules.required(rules.anything),
} satisfies rules.OptionRules<OpenApiResponseExample>;

const TYPE = rules.required(rules.oneOf(["apiKey", "bearer", "basic"]));
const OWNER = "the OpenAPI tools";

type AuthOf<T extends OpenApiAuth["type"]> = Extract<OpenApiAuth, { type: T }>;
type Checked = rules.Checked<OpenApiToolsOptions, typeof RULES>;

export interface ResolvedOptions
  extends Credentials,
    Omit<Checked, "auth" | "headers" | "baseUrl" | "include" | "exclude" | "operations"> {
  readonly baseUrl?: URL;
  readonly include?: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
  readonly operations: ReadonlyMap<string, false | OpenApiOperationCuration>;
}

/** Checks the options once and fills in the defaults. Throws INVALID_INPUT, never with a credential in it. */
export function resolveOptions(options: OpenApiToolsOptions = {}): ResolvedOptions {
  const { auth, headers, baseUrl, include, exclude, operations, ...given } = checkOptions(
    OWNER,
    options,
    RULES,
  );
  const credentials = {
    ...(headers !== undefined && { headers }),
    ...(auth !== undefined && { auth: checkAuth(auth) }),
  };
  return {
    ...given,
    ...credentialsOf(credentials),
    ...(baseUrl !== undefined && { baseUrl: new URL(baseUrl) }),
    ...(include !== undefined && { include: new Set(include) }),
    exclude: new Set(exclude),
    // A Map, so that an id such as `constructor` finds no inherited entry.
    operations: new Map(
      Object.entries(operations).map(([id, curation]) => [id, checkCuration(id, curation)]),
    ),
  };
}

function checkAuth(auth: OpenApiAuth): OpenApiAuth {
  const owner = { of: "auth", at: "auth" };
  switch (readOption({ at: "auth.type" }, TYPE, () => auth.type)) {
    case "apiKey":
      return checkOptions(owner, auth as AuthOf<"apiKey">, AUTH_RULES.apiKey);
    case "bearer":
      return checkOptions(owner, auth as AuthOf<"bearer">, AUTH_RULES.bearer);
    default:
      return checkOptions(owner, auth as AuthOf<"basic">, AUTH_RULES.basic);
  }
}

function checkCuration(
  id: string,
  curation: false | OpenApiOperationCuration,
): false | OpenApiOperationCuration {
  if (curation === false) return false;
  const at = `operations.${id}`;
  const checked = checkOptions({ of: at, at }, curation, CURATION_RULES);
  for (const [index, example] of (checked.responseExamples ?? []).entries()) {
    const place = `${at}.responseExamples[${index}]`;
    checkOptions({ of: place, at: place }, example, EXAMPLE_RULES);
  }
  return checked;
}

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}
