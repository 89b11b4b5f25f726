import { checkHotOptions } from "../../hot/options.js";
import type { RunAuthContext, RunConfig } from "../../model/run.js";
import type { RunOptions } from "../../model/run-options.js";
import { findJsonLoss } from "../../util/json-loss.js";
import { isPlainObject } from "../../util/same-data.js";
import { checkOptions, refuseOption } from "../../options/check-options.js";
import * as rules from "../../options/option-rules.js";

const LONGEST_RUN_ID = 256;
/** One segment of a path: `.` and `..` would be left out of the address of a run, however they are written. */
const RUN_ID = /^(?!\.+$)[\w.:@-]+$/;
const DEFAULT_MAX_CONCURRENCY = 4;

/** What each option has to be by itself. */
const RULES: rules.OptionRules<RunOptions> = {
  runId: rules.text,
  parentRunId: rules.orNull(rules.name),
  input: rules.anything,
  maxConcurrency: rules.positiveInteger,
  maxInterruptions: rules.wholeNumber,
  requireRerenderOnOutputChange: rules.flag,
  onProgress: rules.callback,
  signal: rules.abortSignal,
  resume: rules.flag,
  force: rules.flag,
  acceptWorkflowChange: rules.flag,
  followContinuation: rules.flag,
  workflowPath: rules.text,
  rootDir: rules.text,
  logDir: rules.orNull(rules.text),
  allowNetwork: rules.flag,
  toolIsolation: rules.oneOf(["required", "none"]),
  writable: rules.texts,
  maxOutputBytes: rules.positiveInteger,
  toolTimeoutMs: rules.positiveInteger,
  scorerTimeoutMs: rules.positiveInteger,
  annotations: rules.record,
  auth: rules.orNull<RunAuthContext>(rules.record),
  // What a resume reads is what the start has read.
  config: rules.checked("an object of plain JSON", isPlainJson),
  cliAgentToolsDefault: rules.oneOf(["all", "explicit-only"]),
  // Checked with its members below.
  hot: rules.anything,
  initialOutputs: rules.record,
  initialIteration: rules.wholeNumber,
  initialIterations: rules.record,
  resumeClaim: rules.record,
};

/** The options that a resume needs again: all of a run's config but what engine and hosts themselves add. */
const KEPT: Readonly<Record<Exclude<keyof RunConfig, "continuation" | "launch" | "traceparent">, true>> = {
  maxConcurrency: true,
  maxInterruptions: true,
  requireRerenderOnOutputChange: true,
  rootDir: true,
  allowNetwork: true,
  toolIsolation: true,
  writable: true,
  maxOutputBytes: true,
  toolTimeoutMs: true,
  scorerTimeoutMs: true,
  annotations: true,
  auth: true,
  config: true,
  cliAgentToolsDefault: true,
  initialIteration: true,
  initialIterations: true,
};

/** @throws INVALID_INPUT naming the option, what is expected and what arrived */
export function checkRunOptions(options: RunOptions): void {
  checkOptions("runWorkflow", options, RULES);
  checkHotOptions(options.hot);
  const { runId, parentRunId, resume } = options;
  if (resume === true && runId === undefined) refuseOption("runId", "the id of the run to resume", runId);
  // Ids of child runs are made of node ids, which may hold anything; those of known runs are what they are.
  const isMade = resume === true || (parentRunId ?? null) !== null;
  if (runId !== undefined && !isMade && !(RUN_ID.test(runId) && runId.length <= LONGEST_RUN_ID)) {
    refuseOption("runId", `1 to ${LONGEST_RUN_ID} letters, digits or . : @ _ -, not only dots`, runId);
  }
  checkIsolation(options);
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

/** What of the options a run keeps for later resumes. */
export function toRunConfig(options: RunOptions): RunConfig {
  return {
    maxConcurrency: DEFAULT_MAX_CONCURRENCY,
    requireRerenderOnOutputChange: true,
    ...givenConfig(options),
  };
}

/** Only the options that were given: a resume replaces these and keeps the rest. */
export function givenConfig(options: RunOptions): Partial<RunConfig> {
  const { initialIterations: given } = options;
  const initialIterations = given instanceof Map ? Object.fromEntries(given) : given;
  return Object.fromEntries(
    Object.entries({ ...options, initialIterations }).filter(
      ([name, value]) => Object.hasOwn(KEPT, name) && value !== undefined,
    ),
  ) as Partial<RunConfig>;
}
