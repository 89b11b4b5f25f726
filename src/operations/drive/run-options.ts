import type { RunConfig } from "../../model/run.js";
import type { RunOptions } from "../../model/run-options.js";
import { findJsonLoss } from "../../util/json-loss.js";
import { isPlainObject } from "../../util/same-data.js";
import { positiveInteger, refuseOption } from "../request/check-request.js";

const LONGEST_RUN_ID = 256;
const DEFAULT_MAX_CONCURRENCY = 4;

const KNOWN_OPTIONS: Readonly<Record<keyof RunOptions, true>> = {
  runId: true,
  parentRunId: true,
  input: true,
  maxConcurrency: true,
  maxInterruptions: true,
  requireRerenderOnOutputChange: true,
  onProgress: true,
  signal: true,
  resume: true,
  force: true,
  acceptWorkflowChange: true,
  followContinuation: true,
  workflowPath: true,
  rootDir: true,
  logDir: true,
  allowNetwork: true,
  toolIsolation: true,
  writable: true,
  maxOutputBytes: true,
  toolTimeoutMs: true,
  annotations: true,
  auth: true,
  config: true,
  cliAgentToolsDefault: true,
  initialOutputs: true,
  initialIteration: true,
  initialIterations: true,
  resumeClaim: true,
};

/** @throws INVALID_INPUT naming the option, what is expected and what arrived */
export function checkRunOptions(options: RunOptions): void {
  const { runId, maxConcurrency, maxInterruptions, maxOutputBytes, toolTimeoutMs } = options;
  // Ids of child runs are made of node ids, which may hold anything; those of known runs are what they are.
  const isMade = options.resume === true || (options.parentRunId ?? null) !== null;
  if (runId !== undefined && !(isMade && typeof runId === "string")) {
    const isId = typeof runId === "string" && /^[\w.:@-]+$/.test(runId) && runId.length <= LONGEST_RUN_ID;
    if (!isId) refuseOption("runId", `1 to ${LONGEST_RUN_ID} letters, digits or . : @ _ -`, runId);
  }
  for (const [name, value] of Object.entries({ maxConcurrency, maxOutputBytes, toolTimeoutMs })) {
    if (value !== undefined && !positiveInteger.fits(value))
      refuseOption(name, positiveInteger.expected, value);
  }
  checkToolOptions(options);
  checkConfig(options);
  if (maxInterruptions !== undefined && maxInterruptions !== 0 && !positiveInteger.fits(maxInterruptions))
    refuseOption("maxInterruptions", "an integer of 0 or more", maxInterruptions);
  for (const [name, value] of Object.entries(options)) {
    const isOff = value === undefined || value === null || value === false;
    if (!isOff && !Object.hasOwn(KNOWN_OPTIONS, name)) refuseOption(name, "an option of runWorkflow", value);
  }
  if (options.resume === true && runId === undefined)
    refuseOption("runId", "the id of the run to resume", runId);
}

/** What a resume reads is what the start has read. */
function checkConfig({ config }: RunOptions): void {
  if (config === undefined) return;
  if (!isPlainObject(config) || findJsonLoss(config) !== undefined) {
    refuseOption("config", "an object of plain JSON", config);
  }
}

function checkToolOptions({ toolIsolation, allowNetwork, writable, resume }: RunOptions): void {
  if (toolIsolation !== undefined && toolIsolation !== "required" && toolIsolation !== "none") {
    refuseOption("toolIsolation", '"required" or "none"', toolIsolation);
  }
  // Nothing else cuts the network off. A resume may have been allowed the network at its start.
  const isCutOff = resume === true ? allowNetwork === false : allowNetwork !== true;
  if (toolIsolation === "none" && isCutOff) {
    refuseOption("toolIsolation", '"required" while allowNetwork is off', toolIsolation);
  }
  const isList = Array.isArray(writable) && writable.every((path) => typeof path === "string");
  if (writable !== undefined && !isList) refuseOption("writable", "a list of paths", writable);
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
  const { initialIterations } = options;
  const given: Partial<RunConfig> = {
    maxConcurrency: options.maxConcurrency,
    maxInterruptions: options.maxInterruptions,
    requireRerenderOnOutputChange: options.requireRerenderOnOutputChange,
    rootDir: options.rootDir,
    allowNetwork: options.allowNetwork,
    toolIsolation: options.toolIsolation,
    writable: options.writable,
    maxOutputBytes: options.maxOutputBytes,
    toolTimeoutMs: options.toolTimeoutMs,
    annotations: options.annotations,
    auth: options.auth,
    config: options.config,
    cliAgentToolsDefault: options.cliAgentToolsDefault,
    initialIteration: options.initialIteration,
    initialIterations:
      initialIterations instanceof Map ? Object.fromEntries(initialIterations) : initialIterations,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<RunConfig>;
}
