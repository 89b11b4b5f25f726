import { METHODS } from "../../../src/hosts/gateway/rpc/methods.js";
import fc from "../../support/property-tests.js";

/** One request as an attacker, or a program with a fault, may send it. */
export interface HostileRequest {
  method: string;
  /** From the first slash on, as it goes over the wire. */
  path: string;
  headers: Record<string, string>;
  body?: Uint8Array;
}

/** Names that there are in the host under test: what is nearly right goes deepest. */
export interface Known {
  runId: string;
  nodeId: string;
  workflow: string;
  token: string;
}

const nasty = fc.constantFrom(
  "",
  ".",
  "..",
  "../../etc/passwd",
  "\u0000",
  "\ud800",
  "__proto__",
  "constructor",
  "toString",
  "latest",
  "-",
  "%",
  "%00",
  "%ff",
  "%2e%2e%2f",
  "a".repeat(5_000),
  "💥",
  "'; DROP TABLE _service_runs; --",
  "-1",
  "1e999",
  "9007199254740993",
  "NaN",
  "null",
  "0:0",
  "[1,2]",
  '[1,"a","b",0]',
  "file:///etc/passwd",
);

const textIn = (known: Known) =>
  fc.oneof(
    { weight: 4, arbitrary: nasty },
    { weight: 4, arbitrary: fc.constantFrom(known.runId, known.nodeId) },
    { weight: 1, arbitrary: fc.constant(known.workflow) },
    { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  );

const valueIn = (known: Known) =>
  fc.oneof(
    { weight: 4, arbitrary: textIn(known) },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 1, 1.5, 1e308, -0, [], {}) },
    { weight: 1, arbitrary: fc.double() },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }).map((depth) => nested(depth)) },
  );

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Members that some method or route takes, and others. */
const MEMBERS =
  "runId nodeId iteration workflow workflowPath input idempotencyKey maxConcurrency annotations force dryRun resetDependents acceptWorkflowChange reason status statuses workflowName parentRunId limit cursor frameNo fromFrameNo toFrameNo afterFrameNo beforeFrameNo approved note decidedBy selected ranked data requestHash signal correlationId cronId pattern timeZone overlap catchUp enabled history resume config id method params __proto__ constructor".split(
    " ",
  );

const paramsIn = (known: Known) =>
  fc.oneof(
    { weight: 1, arbitrary: valueIn(known) },
    {
      weight: 6,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...MEMBERS), valueIn(known)), { maxLength: 4 })
        .map((entries) => asObject([["runId", known.runId], ...entries])),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...MEMBERS), valueIn(known)), { maxLength: 6 })
        .map(asObject),
    },
  );

/** Also of names such as `__proto__`, which JSON can have as members. */
function asObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) object[name] = value;
  return object;
}

/** UTF-8 has no half of a surrogate pair. */
const inPath = (text: string) => encodeURIComponent(Buffer.from(text).toString());

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value) ?? "undefined");

const bodyOf = (value: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: value.map(encoded) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: value.map((one) => encoded(one).subarray(0, -1)) },
    { weight: 1, arbitrary: fc.constant(Buffer.from('{"a":'.repeat(3_000))) },
    { weight: 1, arbitrary: fc.constant(Buffer.alloc(3_000, " ")) },
  );

const headersIn = (known: Known) =>
  fc.record({
    "content-type": fc.oneof(
      { weight: 12, arbitrary: fc.constant("application/json") },
      { weight: 1, arbitrary: fc.constantFrom("text/plain", "application/x-json", "a/b; c", "") },
    ),
    authorization: fc.oneof(
      { weight: 12, arbitrary: fc.constant(`Bearer ${known.token}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "",
          "Bearer",
          "Bearer  ",
          "Bearer __proto__",
          "Basic YTpi",
          `bearer ${"x".repeat(3_000)}`,
        ),
      },
    ),
  });

const segment = (known: Known) =>
  textIn(known).map((text) => (/^[\w%.-]*$/.test(text) ? text : inPath(text)));

const query = (known: Known) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant("") },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(
            "limit",
            "cursor",
            "afterSeq",
            "afterFrameNo",
            "beforeFrameNo",
            "iteration",
            "status",
            "workflow",
            "x",
          ),
          segment(known),
        )
        .map(([name, value]) => `?${name}=${value}`),
    },
  );

const METHOD_NAMES = [
  ...Object.keys(METHODS),
  "streamRunEvents",
  "streamWorkspace",
  "ext.own.look",
  "nothing",
];

/** For a gateway: its methods over both routes, and its other paths. */
export function gatewayRequests(known: Known): fc.Arbitrary<HostileRequest> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...METHOD_NAMES) },
    { weight: 1, arbitrary: textIn(known) },
  );
  const params = paramsIn(known);
  const rpc = fc.record({
    method: fc.constant("POST"),
    path: name.map((one) => `/v1/rpc/${inPath(one)}`),
    headers: headersIn(known),
    body: bodyOf(params),
  });
  const envelope = fc.record({
    method: fc.constant("POST"),
    path: fc.constant("/rpc"),
    headers: headersIn(known),
    body: bodyOf(
      fc.oneof(
        fc.record({ method: name, params }),
        fc.record({ id: valueIn(known), method: valueIn(known), params }),
        params,
      ),
    ),
  });
  const templates = [
    "/health",
    "/metrics",
    "/workflows",
    "/webhooks/:a",
    "/workflows/:a",
    "/console",
    "/:a",
    "/v1/rpc",
    "/:a/:b",
  ];
  return fc.oneof(
    { weight: 6, arbitrary: rpc },
    { weight: 2, arbitrary: envelope },
    { weight: 2, arbitrary: requestsTo(templates, known) },
  );
}

const SERVER_TEMPLATES = [
  "/health",
  "/metrics",
  "/v1/runs",
  "/v1/runs/:a",
  "/v1/runs/:a/resume",
  "/v1/runs/:a/cancel",
  "/v1/runs/:a/frames",
  "/v1/runs/:a/nodes/:b",
  "/v1/runs/:a/nodes/:b/approve",
  "/v1/runs/:a/nodes/:b/deny",
  "/v1/runs/:a/signals/:b",
  "/v1/approvals",
  "/:a/:b",
];

/** For a server of workflow files; without streams, which would not end. */
export function serverRequests(known: Known): fc.Arbitrary<HostileRequest> {
  return requestsTo(SERVER_TEMPLATES, known);
}

export function serveAppRequests(known: Known): fc.Arbitrary<HostileRequest> {
  const paths = [
    "/",
    "/health",
    "/frames",
    "/graph",
    "/metrics",
    "/approve/:a",
    "/deny/:a",
    "/signal/:a",
    "/:a",
  ];
  return requestsTo(paths, known);
}

function requestsTo(templates: readonly string[], known: Known): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      method: fc.constantFrom(
        "GET",
        "GET",
        "POST",
        "POST",
        "POST",
        "PUT",
        "DELETE",
        "PATCH",
        "HEAD",
        "OPTIONS",
      ),
      template: fc.constantFrom(...templates),
      a: segment(known),
      b: segment(known),
      query: query(known),
      headers: headersIn(known),
      body: bodyOf(paramsIn(known)),
    })
    .map(({ method, template, a, b, query: text, headers, body }) => ({
      method,
      path: template.replace(":a", () => a).replace(":b", () => b) + text,
      headers,
      ...(method !== "GET" && method !== "HEAD" && { body }),
    }));
}
