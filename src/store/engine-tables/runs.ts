import {
  RUN_STATUSES,
  type ResumeFailure,
  type RunPause,
  type RunRow,
  type RunSummary,
} from "../../model/run.js";
import type { LoadedFile } from "../../model/loaded-file.js";
import type { RunAuthContext } from "../../model/run-auth.js";
import type { ContinuationEnvelope, RunConfig, RunFork, RunLaunch } from "../../model/run-config.js";
import { count, flag, instant, json, nullable, oneOf, text, withDefault } from "../columns/column.js";
import { RowTable } from "../columns/row-table.js";
import {
  anything,
  boolean,
  listOf,
  literal,
  number,
  object,
  optional,
  orNull,
  recordOf,
  type Shape,
  scalar,
  string,
} from "../columns/shape.js";
import { errorShape } from "./error-shape.js";

/** A run without its configuration, and with the number that its other rows carry. */
export interface StoredRun extends Omit<RunRow, "config"> {
  runNo: number;
}

/**
 * In these words the indexes have it by which waiting runs that may continue are found among those that only wait. SQLite
 * does not take it for a question to the index of all statuses.
 */
export const RUN_WAITS = "status LIKE 'waiting-%'";

export const runTable = new RowTable<StoredRun>({
  name: "_service_runs",
  key: ["runId"],
  ofRun: false,
  storage: {
    serial: "run_no",
    indexes: {
      by_status: { on: ["status", "created_at_ms"] },
      by_parent: { on: ["parent_run_id"], where: "parent_run_id IS NOT NULL" },
      by_time: { on: ["created_at_ms"] },
      held: { on: ["status"], where: `owner_id IS NOT NULL AND ${RUN_WAITS}` },
      by_wake: { on: ["wake_at_ms"], where: `wake_at_ms IS NOT NULL AND ${RUN_WAITS}` },
    },
  },
  columns: {
    runId: text("run_id"),
    runNo: count("run_no"),
    parentRunId: nullable(text("parent_run_id")),
    workflowName: text("workflow_name"),
    workflowPath: nullable(text("workflow_path")),
    workflowHash: nullable(text("workflow_hash")),
    status: oneOf("status", RUN_STATUSES),
    createdAtMs: instant("created_at_ms"),
    startedAtMs: nullable(instant("started_at_ms")),
    finishedAtMs: nullable(instant("finished_at_ms")),
    heartbeatAtMs: nullable(instant("heartbeat_at_ms")),
    ownerId: nullable(text("owner_id")),
    epoch: count("epoch"),
    frameNo: count("frame_no"),
    nextSeq: count("next_seq"),
    nextRunId: nullable(text("next_run_id")),
    error: nullable(json("error_json", errorShape)),
    summary: nullable(
      json(
        "summary_json",
        object<RunSummary>({
          failedChildKeys: optional(listOf(string)),
          exhaustedLoops: optional(listOf(string)),
        }),
      ),
    ),
    paused: nullable(json("paused_json", object<RunPause>({ reason: string, sinceMs: number }))),
    wakeAtMs: nullable(instant("wake_at_ms")),
    deaths: withDefault(count("deaths"), 0),
    inCompany: withDefault(flag("in_company"), 0),
    lostStarts: withDefault(count("lost_starts"), 0),
  },
});

export const authShape = object<RunAuthContext>({
  triggeredBy: string,
  role: string,
  scopes: listOf(string),
  createdAt: string,
});

const continuationShape = object<ContinuationEnvelope>({
  fromRunId: string,
  depth: number,
  state: anything,
  timers: optional(recordOf(number)),
  children: optional(recordOf(string)),
  earlierRows: optional(recordOf(recordOf(number))),
  idle: optional(
    object<NonNullable<ContinuationEnvelope["idle"]>>({ runs: number, carried: optional(number) }),
  ),
});

const configShape = object<RunConfig>({
  maxConcurrency: number,
  maxInterruptions: optional(number),
  queue: optional(string),
  requireRerenderOnOutputChange: boolean,
  rootDir: optional(string),
  recordVcs: optional(boolean),
  allowNetwork: optional(boolean),
  toolIsolation: optional(literal("required", "none")),
  writable: optional(listOf(string)) as Shape<RunConfig["writable"]>,
  maxOutputBytes: optional(number),
  toolTimeoutMs: optional(number),
  scorerTimeoutMs: optional(number),
  annotations: optional(recordOf(scalar)),
  auth: optional(orNull(authShape)),
  config: optional(recordOf(anything)),
  cliAgentToolsDefault: optional(literal("all", "explicit-only")),
  initialIteration: optional(number),
  initialIterations: optional(recordOf(number)),
  continuation: optional(continuationShape),
  fork: optional(
    object<RunFork>({
      runId: string,
      frameNo: number,
      label: optional(string),
      reopens: optional(boolean),
    }),
  ),
  launch: optional(object<RunLaunch>({ key: string, paramsHash: optional(string) })),
  traceparent: optional(string),
});

/** Apart from the run row, which every commit rewrites: a configuration can be megabytes. */
export const runConfigTable = new RowTable<{ config: RunConfig }>({
  name: "_service_run_configs",
  key: [],
  ofRun: true,
  columns: { config: json("config_json", configShape) },
});

/** The files that the run's code was loaded from; without a row they are not known. */
export const loadedFilesTable = new RowTable<{ files: LoadedFile[] }>({
  name: "_service_loaded_files",
  key: [],
  ofRun: true,
  columns: {
    files: json(
      "files_json",
      listOf(
        object<LoadedFile>({
          kind: literal("code", "settings", "package"),
          path: string,
          hash: orNull(string),
        }),
      ),
    ),
  },
});

export const resumeFailureTable = new RowTable<ResumeFailure>({
  name: "_service_resume_failures",
  key: [],
  ofRun: true,
  columns: {
    failures: count("failures"),
    error: json("error_json", errorShape),
    failedAtMs: instant("failed_at_ms"),
    retryAtMs: instant("retry_at_ms"),
    pendingIntents: count("pending_intents"),
    code: nullable(text("code")),
  },
});
