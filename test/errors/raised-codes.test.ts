import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { errorFamilies } from "../../src/errors/codes.js";
import { serviceMetrics } from "../../src/metrics/catalog.js";

/** Codes of the interface, and of the hosts, whose feature is still to come. */
const AWAITED = `
  CRON_NOT_FOUND METHOD_NOT_FOUND PROTOCOL_MISMATCH ROUTE_NOT_FOUND SERVER_INSECURE_BIND WEBHOOK_NOT_FOUND
  ACCOUNT_DUPLICATE_LABEL ACCOUNT_INVALID ACCOUNT_NOT_FOUND ACCOUNTS_FILE_INVALID APPROVAL_OUTSIDE_TASK
  ENGINE_HTTP_ERROR INVALID_JSON MISSING_INPUT_TABLE
  PAYLOAD_TOO_LARGE RATE_LIMITED RUN_RESUME_ACTIVATION_FAILED SANDBOX_BUNDLE_INVALID SANDBOX_BUNDLE_TOO_LARGE
  SANDBOX_EXECUTION_FAILED SCHEMA_DISCOVERY_FAILED SCORER_FAILED SESSION_ERROR UNAUTHORIZED
  VCS_WORKSPACE_CREATE_FAILED WORKFLOW_EXISTS WORKFLOW_PATH_OUTSIDE_ROOT
`
  .trim()
  .split(/\s+/);

const root = new URL("../..", import.meta.url).pathname;
const files = globSync(["src/**/*.{ts,tsx}", "jsx-runtime/*.ts"], {
  cwd: root,
  ignore: ["src/errors/codes/**", "src/metrics/catalog/**"],
  absolute: true,
});
const code = files.map((path) => readFileSync(path, "utf8")).join("\n");
const codes = Object.values(errorFamilies).flatMap((family) => Object.keys(family));

it("every code of the error reference is raised somewhere, or awaited by name", () => {
  const silent = codes.filter((name) => !new RegExp(`["'\`]${name}["'\`]`).test(code));
  expect(silent.filter((name) => !AWAITED.includes(name))).toEqual([]);
});

/** Metrics of the interface, which shows all of them at zero, whose feature is still to come. */
const AWAITED_METRICS = `
  httpRequestDurationMs httpRequests
  replaysStarted
  sandboxTransportDurationMs snapshotDurationMs snapshotsCaptured
`;

it("every metric of the catalog is recorded somewhere, or awaited by name", () => {
  const silent = Object.keys(serviceMetrics).filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
  expect(silent.filter((name) => !AWAITED_METRICS.includes(name))).toEqual([]);
});

/** Events whose feature is still to come. */
const AWAITED_EVENTS = `
  RunForked SandboxBundleReceived SandboxCompleted SandboxCreated
  SandboxDiffAccepted SandboxDiffRejected SandboxDiffReviewRequested SandboxFailed SandboxHeartbeat SandboxShipped
`
  .trim()
  .split(/\s+/);

it("every declared event is emitted somewhere, or awaited by name", () => {
  const isDeclaration = (path: string) => path.includes("/src/model/events/");
  const read = (paths: string[]) => paths.map((path) => readFileSync(path, "utf8")).join("\n");
  const declared = [...read(files.filter(isDeclaration)).matchAll(/defineEvent\(\s*"(\w+)"/g)];
  const others = read(files.filter((path) => !isDeclaration(path)));
  expect(declared.length).toBeGreaterThan(AWAITED_EVENTS.length);
  const silent = declared.map(([, type]) => String(type)).filter((type) => !others.includes(`"${type}"`));
  expect(silent.sort()).toEqual(AWAITED_EVENTS.sort());
});

it("every package that an installation brings is imported", () => {
  const { dependencies } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  const unused = Object.keys(dependencies).filter(
    (name) => !new RegExp(`["']${name}(?:/[^"']*)?["']`).test(code),
  );
  expect(unused).toEqual([]);
});
