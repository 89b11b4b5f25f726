import { checkHotOptions } from "../../hot/options.js";
import { isQueueName, QUEUE_NAME_RULE } from "../../model/queue-name.js";
import type { RunAuthContext } from "../../model/run-auth.js";
import { type KeptRunOptions, RUN_DEFAULTS, type RunConfig } from "../../model/run-config.js";
import type { ResumeClaim, RunOptions } from "../../model/run-options.js";
import { findJsonLoss } from "../../util/json-loss.js";
import { isPlainObject } from "../../util/same-data.js";
import { checkOptions, defaultsOf, givenOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";
import { annotations } from "../request/run-choice-rules.js";

const LONGEST_RUN_ID = 256;
/** One segment of a path: `.` and `..` would be left out of the address of a run, however they are written. */
const RUN_ID = /^(?!\.+$)[\w.:@-]+$/;

/** Options that a start keeps with the run, and a resume continues with. */
const KEPT_RULES = {
  maxConcurrency: rules.withDefault(rules.positiveInteger, RUN_DEFAULTS.maxConcurrency),
  maxInterruptions: rules.withDefault(rules.wholeNumber, RUN_DEFAULTS.maxInterruptions),
  queue: rules.checked(QUEUE_NAME_RULE, isQueueName),
  requireRerenderOnOutputChange: rules.withDefault(rules.flag, RUN_DEFAULTS.requireRerenderOnOutputChange),
  rootDir: rules.text,
  recordVcs: rules.withDefault(rules.flag, RUN_DEFAULTS.recordVcs),
  allowNetwork: rules.withDefault(rules.flag, RUN_DEFAULTS.allowNetwork),
  toolIsolation: rules.withDefault(rules.oneOf(["required", "none"]), RUN_DEFAULTS.toolIsolation),
  writable: rules.texts,
  maxOutputBytes: rules.withDefault(rules.positiveInteger, RUN_DEFAULTS.maxOutputBytes),
  toolTimeoutMs: rules.withDefault(rules.positiveInteger, RUN_DEFAULTS.toolTimeoutMs),
  scorerTimeoutMs: rules.withDefault(rules.positiveInteger, RUN_DEFAULTS.scorerTimeoutMs),
  annotations,
  // Checked with its members below.
  auth: rules.withDefault(rules.orNull<RunAuthContext>(rules.record), RUN_DEFAULTS.auth),
  // A resume reads the same as the start.
  config: rules.withDefault(rules.checked("an object of plain JSON", isPlainJson), RUN_DEFAULTS.config),
  cliAgentToolsDefault: rules.withDefault(
    rules.oneOf(["all", "explicit-only"]),
    RUN_DEFAULTS.cliAgentToolsDefault,
  ),
  initialIteration: rules.withDefault(rules.wholeNumber, RUN_DEFAULTS.initialIteration),
  initialIterations: rules.checked(
    "an object, or a Map, of whole numbers by the ids of loops",
    areIterations,
  ),
} satisfies rules.OptionRules<KeptRunOptions>;

/** The rule of each option by itself. */
const RULES = {
  ...KEPT_RULES,
  runId: rules.text,
  parentRunId: rules.orNull(rules.name),
  input: rules.withDefault(rules.anything, {}),
  onProgress: rules.callback,
  signal: rules.abortSignal,
  resume: rules.withDefault(rules.flag, false),
  force: rules.withDefault(rules.flag, false),
  acceptWorkflowChange: rules.withDefault(rules.flag, false),
  followContinuation: rules.withDefault(rules.flag, true),
  workflowPath: rules.text,
  logDir: rules.withDefault(rules.orNull(rules.text), null),
  // Checked with its members below.
  hot: rules.withDefault(rules.anything, false),
  initialOutputs: rules.checked("an object of lists of rows, by table", areRowsByTable),
  resumeClaim: rules.record,
} satisfies rules.OptionRules<RunOptions>;

const AUTH_RULES = {
  triggeredBy: rules.required(rules.text),
  role: rules.required(rules.text),
  scopes: rules.required(rules.texts),
  createdAt: rules.required(rules.text),
} satisfies rules.OptionRules<RunAuthContext>;

const CLAIM_RULES = {
  claimOwnerId: rules.required(rules.name),
  claimHeartbeatAtMs: rules.required(rules.milliseconds),
  restoreRuntimeOwnerId: rules.withDefault(rules.orNull(rules.text), null),
  restoreHeartbeatAtMs: rules.withDefault(rules.orNull(rules.milliseconds), null),
} satisfies rules.OptionRules<ResumeClaim>;

/** The options with all defaults. */
export type CheckedRunOptions = rules.Checked<RunOptions, typeof RULES> & {
  /** Only what was given: a resume replaces that, and keeps the rest. */
  readonly given: RunOptions;
};

/** @throws INVALID_INPUT naming the option, what is expected and what arrived */
export function checkRunOptions(options: RunOptions): CheckedRunOptions {
  const given = givenOptions("runWorkflow", options, RULES);
  checkHotOptions(given.hot);
  const { runId, parentRunId, resume, auth, resumeClaim } = given;
  if (auth != null) checkOptions({ of: "auth", at: "auth" }, auth, AUTH_RULES);
  if (resumeClaim !== undefined)
    checkOptions({ of: "resumeClaim", at: "resumeClaim" }, resumeClaim, CLAIM_RULES);
  if (resume === true && runId === undefined) refuseOption("runId", "the id of the run to resume", runId);
  // Ids of child runs are made of node ids, which may hold anything; those of known runs are what they are.
  const isMade = resume === true || (parentRunId ?? null) !== null;
  if (runId !== undefined && !isMade && !(RUN_ID.test(runId) && runId.length <= LONGEST_RUN_ID)) {
    refuseOption("runId", `1 to ${LONGEST_RUN_ID} letters, digits or . : @ _ -, not only dots`, runId);
  }
  checkIsolation(given);
  return { ...defaultsOf(RULES), ...given, given };
}

/** Numbers that JSON has: others would come back as null. */
function areIterations(value: unknown): boolean {
  const entries =
    value instanceof Map ? [...value] : isPlainObject(value) ? Object.entries(value) : [["", -1]];
  return entries.every(([id, iteration]) => typeof id === "string" && rules.wholeNumber.fits(iteration));
}

function areRowsByTable(value: unknown): boolean {
  const areRows = (rows: unknown) => Array.isArray(rows) && rows.every(isPlainObject);
  return isPlainObject(value) && Object.values(value).every(areRows);
}

function isPlainJson(value: unknown): boolean {
  return isPlainObject(value) && findJsonLoss(value) === undefined;
}

/** Nothing else cuts the network off. A resume may have been allowed the network at its start. */
function checkIsolation({ toolIsolation, allowNetwork, resume }: RunOptions): void {
  const isCutOff = resume === true ? allowNetwork === false : allowNetwork !== true;
  if (toolIsolation === "none" && isCutOff) {
    refuseOption("toolIsolation", '"required" while allowNetwork is off', toolIsolation);
  }
}

/** The options that a run keeps for later resumes. */
export function toRunConfig(given: RunOptions): RunConfig {
  const { maxConcurrency, requireRerenderOnOutputChange } = RUN_DEFAULTS;
  return { maxConcurrency, requireRerenderOnOutputChange, ...givenConfig(given) };
}

/** Only the options that were given: a resume replaces these and keeps the rest. */
export function givenConfig(given: RunOptions): Partial<RunConfig> {
  const kept = Object.entries(given).filter(([name]) => Object.hasOwn(KEPT_RULES, name));
  const { initialIterations, ...config } = Object.fromEntries(kept) as KeptRunOptions;
  if (initialIterations === undefined) return config;
  return {
    ...config,
    initialIterations:
      initialIterations instanceof Map ? Object.fromEntries(initialIterations) : initialIterations,
  };
}
