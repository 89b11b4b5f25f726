import { z } from "zod";
import type { OpenApiCall } from "./call-report.js";
import { type Credentials, credentialsOf, type OpenApiAuth } from "./credentials.js";
import { nearest } from "../util/nearest.js";
import { invalidOptions } from "./invalid-options.js";
import type { OpenApiWarning } from "./warning.js";
import { once } from "../util/once.js";

/** One example of a response, shown to the model in a tool's description. */
export interface OpenApiResponseExample {
  status?: string | number;
  description?: string;
  value: unknown;
}

/** How one operation appears as a tool. */
export interface OpenApiOperationCuration {
  /** `false` leaves the operation out. */
  include?: boolean;
  /** Name of the tool: 1 to 64 letters, digits, `_` and `-`, counting `namePrefix`. */
  name?: string;
  /** Takes the place of the document's summary or description. */
  description?: string;
  responseExamples?: OpenApiResponseExample[];
}

/** Which operations of a document become tools, and how they call the API. */
export interface OpenApiToolsOptions {
  /** Absolute `http(s)` URL that paths are appended to. Default: the document's first server. */
  baseUrl?: string;
  /** Sent with every request. A model can neither see nor override them. */
  headers?: Record<string, string>;
  /** Applied to every request. A model can neither see nor override it. */
  auth?: OpenApiAuth;
  /** Operation ids to make tools of. Default: all. */
  include?: string[];
  /** Operation ids to leave out; wins over `include`. */
  exclude?: string[];
  /** Put before every tool name. Filters go by the operation id without it. */
  namePrefix?: string;
  /** By operation id: `false` leaves an operation out, an object says how it appears. */
  operations?: Record<string, false | OpenApiOperationCuration>;
  /** Milliseconds for one call, its redirects and its response. Default 60,000. */
  timeoutMs?: number;
  /** Largest response body that is read, in bytes. Default 1,048,576. */
  maxResponseBytes?: number;
  /** Called after every call, also a failed one. What it throws is dropped. */
  onCall?: (call: OpenApiCall) => void;
  /** Called while tools are made, for everything in the document that they cannot honour. */
  onWarning?: (warning: OpenApiWarning) => void;
}

export interface ResolvedOptions extends Credentials {
  readonly baseUrl?: URL;
  readonly include?: ReadonlySet<string>;
  readonly exclude: ReadonlySet<string>;
  readonly namePrefix: string;
  readonly operations: ReadonlyMap<string, false | OpenApiOperationCuration>;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  readonly onCall?: (call: OpenApiCall) => void;
  readonly onWarning?: (warning: OpenApiWarning) => void;
}

const listener = <T>() =>
  z.custom<(value: T) => void>((value) => typeof value === "function", "expected a function");

const curationSchema = once(() =>
  z.strictObject({
    include: z.boolean().optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    responseExamples: z
      .array(
        z.strictObject({
          status: z.union([z.string(), z.number()]).optional(),
          description: z.string().optional(),
          value: z.unknown(),
        }),
      )
      .optional(),
  }),
);

const optionsSchema = once(
  () =>
    z.strictObject({
      baseUrl: z.string().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      auth: z
        .discriminatedUnion("type", [
          z.strictObject({
            type: z.literal("apiKey"),
            name: z.string().min(1),
            value: z.string().min(1),
            in: z.enum(["header", "query"]),
          }),
          z.strictObject({ type: z.literal("bearer"), token: z.string().min(1) }),
          z.strictObject({ type: z.literal("basic"), username: z.string(), password: z.string() }),
        ])
        .optional(),
      include: z.array(z.string()).optional(),
      exclude: z.array(z.string()).optional(),
      namePrefix: z.string().optional(),
      operations: z.record(z.string(), z.union([z.literal(false), curationSchema()])).optional(),
      timeoutMs: z.number().positive().optional(),
      maxResponseBytes: z.number().int().positive().optional(),
      onCall: listener<OpenApiCall>().optional(),
      onWarning: listener<OpenApiWarning>().optional(),
    }) satisfies z.ZodType<OpenApiToolsOptions>,
);

const optionNames = () => [...Object.keys(optionsSchema().shape), ...Object.keys(curationSchema().shape)];

/** Checks the options once and fills in the defaults. Throws INVALID_INPUT, never with a credential in it. */
export function resolveOptions(options: OpenApiToolsOptions = {}): ResolvedOptions {
  const parsed = optionsSchema().safeParse(options);
  if (!parsed.success) {
    throw invalidOptions(
      parsed.error.issues.map((issue) => {
        const path = issue.path.map(String).join(".");
        const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
        const meant = unknown === undefined ? undefined : nearest(unknown, optionNames());
        return {
          path,
          message: meant === undefined ? issue.message : `${issue.message}; did you mean ${meant}?`,
        };
      }),
    );
  }
  const given = parsed.data;
  return {
    ...credentialsOf(given),
    ...(given.baseUrl !== undefined && { baseUrl: baseUrlOf(given.baseUrl) }),
    ...(given.include !== undefined && { include: new Set(given.include) }),
    exclude: new Set(given.exclude),
    namePrefix: given.namePrefix ?? "",
    // A Map, so that an id such as `constructor` finds no inherited entry.
    operations: new Map(Object.entries(given.operations ?? {})),
    timeoutMs: given.timeoutMs ?? 60_000,
    maxResponseBytes: given.maxResponseBytes ?? 1_048_576,
    ...(given.onCall !== undefined && { onCall: given.onCall }),
    ...(given.onWarning !== undefined && { onWarning: given.onWarning }),
  };
}

function baseUrlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidOptions([{ path: "baseUrl", message: "expected an absolute http or https URL" }]);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalidOptions([
      { path: "baseUrl", message: "expected no credentials in the URL, pass them as `auth`" },
    ]);
  }
  return url;
}
