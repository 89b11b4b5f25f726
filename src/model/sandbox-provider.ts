import type { RunResult } from "./run.js";
import type { SandboxEgress, SandboxPort, SandboxVolume } from "./sandbox-access.js";
import type { ServiceWorkflow } from "./workflow.js";

/** One file that a sandbox has changed. */
export interface DiffPatch {
  /** Relative to the root, with slashes. */
  path: string;
  /** What is done to the file. */
  operation: "add" | "modify" | "delete";
  /** As `git apply` reads it, binary patches included; beside `binaryContent` empty, or git's header alone. */
  diff: string;
  /**
   * The file as a whole, in base64, of one that is added or modified. Its mode, and what it was made from, are those that the
   * header in `diff` names, or else those of the file that the sandbox was given.
   */
  binaryContent?: string;
}

/** What a sandbox has changed. */
export interface DiffBundle {
  /** Counts the bundles of one sandbox, from 1. */
  seq: number;
  /** Names the state of the files that the patches were made from. */
  baseRef: string;
  /** One per file. */
  patches: readonly DiffPatch[];
}

/** What a provider is asked to do. */
export interface SandboxRequest {
  /** The run that the sandbox belongs to. */
  readonly runId: string;
  /** Tells it from the other sandboxes of the run. */
  readonly sandboxId: string;
  /** Of the child workflow. @default {} */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Absolute path of the run's folder, as the workflow inside names it. */
  readonly rootDir: string;
  /** Folder of the sandbox's own with a copy of the files of `rootDir`: the only thing that is to change. */
  readonly workspacePath: string;
  /** Folder with the request as a bundle: its `README.md` holds JSON. */
  readonly requestBundlePath: string;
  /** Empty folder for the result, should it be given as files: the only place that they are taken from. */
  readonly resultBundlePath: string;
  /** The child workflow: its value, or the path of its file. Absent where `command` is what runs. */
  readonly workflow?: ServiceWorkflow | string;
  /** A program and its arguments, in the place of a workflow: it reads the input as JSON. */
  readonly command?: readonly string[];
  /** The image of a container. @default as the provider has it */
  readonly image?: string;
  /** File that the run's own workflow was loaded from; absent where there is none. */
  readonly parentWorkflow?: string;
  /** Files of the run's code. */
  readonly modules: readonly string[];
  /** Runs the child workflow in this process, without isolation, in the workspace: for tests. */
  executeChildWorkflow(): Promise<RunResult>;
  /** Whether the sandbox may reach the network. */
  readonly allowNetwork: boolean;
  /** Variables that the sandbox gets. */
  readonly env: Readonly<Record<string, string>>;
  /** What of the host it sees, with absolute paths of the host. */
  readonly volumes: readonly Required<SandboxVolume>[];
  /** Its ways out; of secrets only the names of the variables that have them. */
  readonly egress?: SandboxEgress;
  /** What of it is reached from the host, at most while `run` does its work. */
  readonly ports?: readonly SandboxPort[];
  /** Bytes of memory that one of its processes may take. */
  readonly memoryBytes: number;
  /** Processors that all of its processes use together. @default all of the machine's */
  readonly cpuLimit?: number;
  /** Bytes of a tool's output. */
  readonly maxOutputBytes: number;
  /** Milliseconds that one call of a tool may take. */
  readonly toolTimeoutMs: number;
  /** The run's option `config`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Fires when the sandbox is to end. */
  readonly signal: AbortSignal;
  /** Says that the sandbox is alive. */
  heartbeat(data?: { progress?: number; remoteRunId?: string }): void;
}

/** How a sandbox has ended. Paths are those of a bundle, relative to `resultBundlePath`. */
export interface SandboxResult {
  /** Of the run inside. */
  status: "finished" | "failed" | "cancelled";
  /** The result of the run inside: what becomes the row. */
  output?: unknown;
  /** The same; at most one of the two. */
  outputs?: unknown;
  /** Why it has failed. */
  error?: string;
  /** Whether another attempt may help, where it has failed: false of what is wrong each time, such as its input. @default true */
  retryable?: boolean;
  /** The run inside. */
  runId?: string;
  /** The same, where the sandbox is a service. */
  remoteRunId?: string;
  /** What of the service has its files. */
  workspaceId?: string;
  /** The container that it ran in. */
  containerId?: string;
  /** What it has changed. @default the patches in files; without any, what differs in `workspacePath` */
  diffBundle?: DiffBundle;
  /** Files `patches/*.patch`, in the order in which they are applied: all there are. @default by name */
  patches?: readonly string[];
  /** Files below `artifacts/` that stay beside the run: all there are. @default by name */
  artifacts?: readonly string[];
  /** `logs/stream.ndjson`, whose lines are the output of the work inside. */
  streamLogPath?: string;
}

/**
 * A result in files: `README.md` has a `SandboxResult` as JSON, `patches/*.patch` what was changed, `artifacts/` files that stay,
 * `logs/stream.ndjson` what was printed.
 */
export interface SandboxBundle {
  /** The folder: `resultBundlePath`, or one in it. */
  bundlePath: string;
  /** Goes before what the bundle says of it, as the others do. */
  remoteRunId?: string;
  /** What of the service has its files. */
  workspaceId?: string;
  /** The container that it ran in. */
  containerId?: string;
}

/** Runs child workflows somewhere else. */
export interface SandboxProvider {
  /** The name that `provider` may give instead of the object, once it is registered. */
  readonly id: string;
  /** Runs the child workflow to its end. What it throws fails the attempt. */
  run(request: SandboxRequest): Promise<SandboxResult | SandboxBundle>;
  /** Called when `run` has ended, however it has. */
  cleanup?(request: SandboxRequest): Promise<void> | void;
}
