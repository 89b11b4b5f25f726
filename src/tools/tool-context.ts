import { globalTaskId } from "../model/address.js";
import { AsyncLocalStorage } from "node:async_hooks";
import { resolve } from "node:path";
import { RUN_DEFAULTS } from "../model/run-config.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import { ServiceError } from "../errors/service-error.js";
import { type Clock, systemClock } from "../util/clock.js";
import { newId } from "../util/ids.js";
import { once } from "../util/once.js";

/** One finished tool call, for metrics and events. */
export interface ToolCallReport {
  toolName: string;
  /** Id that the model gave the call; absent for calls from code. */
  toolCallId?: string;
  /** Position among all tool calls of the attempt, from 1. */
  seq: number;
  durationMs: number;
  status: "success" | "error";
  /** Whether `maxOutputBytes` cut the output. */
  truncated: boolean;
}

/** A tool call that begins. */
export interface StartedToolCall extends Pick<ToolCallReport, "toolName" | "toolCallId" | "seq"> {
  /** Whether it may change something outside its own result. */
  sideEffect: boolean;
}

/** A call of a tool with `revert`: when it begins, and when it has ended. */
export interface EffectReport extends Pick<ToolCallReport, "toolName" | "seq"> {
  idempotencyKey: string;
  args: unknown;
  /** `unknown` when it begins; `failed` where it threw. */
  outcome: "unknown" | "done" | "failed";
  /** Of a call that is done. */
  result?: unknown;
}

/** The rights of one attempt's tools, and the task they work for. */
export interface ToolContextOptions {
  /** Folder that the file tools are confined to and `bash` starts in. @default process.cwd() */
  rootDir?: string;
  /**
   * Paths, relative to `rootDir`, that tools may change although they lie in `.git`, `node_modules` or the
   * engine's state, or are modules of the running workflow. @default none
   */
  writable?: readonly string[];
  /** Whether commands of `bash` reach the network. @default false */
  allowNetwork?: boolean;
  /**
   * Whether commands of `bash` are confined. `"none"` gives them all rights of the user, the workspace's
   * database included; it needs `allowNetwork`. @default "required"
   */
  toolIsolation?: "required" | "none";
  /** Most memory of one process of a confined command, in bytes. @default 8589934592, 8 GiB */
  maxMemoryBytes?: number;
  /**
   * Most processes and threads of a confined command at once. Where the engine runs as root, held only where it
   * may make a `pids` cgroup of version 1. @default 1024
   */
  maxProcesses?: number;
  /** Longest output of one call, longest content of one write; bytes of UTF-8. @default 200000 */
  maxOutputBytes?: number;
  /** Longest duration of one call. @default 60000 */
  toolTimeoutMs?: number;
  /** Stops running calls. */
  signal?: AbortSignal;
  /** Variables for child processes, on top of the short list every child gets. */
  env?: Readonly<Record<string, string>>;
  /** @default a random id */
  runId?: string;
  /** @default "tool" */
  nodeId?: string;
  /** @default 0 */
  iteration?: number;
  /** 1 for the first try. @default 1 */
  attempt?: number;
  /** Key of the task that the keys of its calls are built from. @default `<runId>:<nodeId>:<iteration>` */
  idempotencyKey?: string;
  /** Called before a call begins. Must not throw. */
  onToolStart?(call: StartedToolCall): void;
  /** Called after a call has ended. Must not throw. */
  onToolCall?(report: ToolCallReport): void;
  /**
   * Called when a call of a tool with `revert` begins, and when it has ended. Where it throws as the call begins,
   * the call is not made.
   */
  onEffect?(effect: EffectReport): void;
  /**
   * Called before a call that may change something outside its own result, once it has been reported: the call is made when
   * this resolves, so that the log knows of it even where the process dies in it. The wait is no part of the call's time
   * limit. @default made at once
   */
  beforeEffect?(): Promise<void>;
  /**
   * Newest attempt of the task whose calls were undone: calls of tools with `revert` have other keys from then on,
   * since services know the former ones. @default none
   */
  revertedAttempt?: number;
  /** @default the machine's clock */
  clock?: Clock;
}

const RULES = {
  rootDir: rules.text,
  writable: rules.texts,
  allowNetwork: rules.withDefault(rules.flag, false),
  toolIsolation: rules.withDefault(rules.oneOf(["required", "none"]), "required"),
  maxMemoryBytes: rules.withDefault(rules.positiveNumber, 8_589_934_592),
  maxProcesses: rules.withDefault(rules.positiveNumber, 1_024),
  maxOutputBytes: rules.withDefault(rules.positiveNumber, RUN_DEFAULTS.maxOutputBytes),
  toolTimeoutMs: rules.withDefault(rules.positiveNumber, RUN_DEFAULTS.toolTimeoutMs),
  signal: rules.abortSignal,
  env: rules.secret(rules.textsByName),
  runId: rules.text,
  nodeId: rules.withDefault(rules.text, "tool"),
  iteration: rules.withDefault(rules.wholeNumber, 0),
  attempt: rules.withDefault(rules.wholeNumber, 1),
  idempotencyKey: rules.text,
  onToolStart: rules.callback,
  onToolCall: rules.callback,
  onEffect: rules.callback,
  beforeEffect: rules.callback,
  revertedAttempt: rules.wholeNumber,
  clock: rules.record,
} satisfies rules.OptionRules<ToolContextOptions>;

/**
 * The scope of one attempt. It counts calls, so that the keys of two calls differ
 * and those of two attempts agree: make one per attempt and share it between the
 * generations of that attempt.
 */
export class ToolContext {
  readonly rootDir: string;
  readonly writable: readonly string[];
  readonly allowNetwork: boolean;
  readonly toolIsolation: "required" | "none";
  readonly maxMemoryBytes: number;
  readonly maxProcesses: number;
  readonly maxOutputBytes: number;
  readonly toolTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly nodeId: string;
  readonly iteration: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly clock: Clock;
  readonly onToolStart: ToolContextOptions["onToolStart"];
  readonly onToolCall: ToolContextOptions["onToolCall"];
  readonly onEffect: ToolContextOptions["onEffect"];
  readonly beforeEffect: ToolContextOptions["beforeEffect"];
  readonly revertedAttempt: number | undefined;
  readonly #ordinals = new Map<string, number>();
  #calls = 0;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(given: ToolContextOptions) {
    const options = checkOptions("createToolContext", given, RULES);
    this.rootDir = resolve(options.rootDir ?? ".");
    this.writable = options.writable ?? [];
    this.allowNetwork = options.allowNetwork;
    this.toolIsolation = isolationOf(options);
    this.maxMemoryBytes = options.maxMemoryBytes;
    this.maxProcesses = options.maxProcesses;
    this.maxOutputBytes = options.maxOutputBytes;
    this.toolTimeoutMs = options.toolTimeoutMs;
    this.signal = options.signal;
    this.env = options.env ?? {};
    this.runId = options.runId ?? newId();
    this.nodeId = options.nodeId;
    this.iteration = options.iteration;
    this.attempt = options.attempt;
    this.idempotencyKey = options.idempotencyKey ?? globalTaskId(this);
    this.clock = options.clock ?? systemClock;
    this.onToolStart = options.onToolStart;
    this.onToolCall = options.onToolCall;
    this.onEffect = options.onEffect;
    this.beforeEffect = options.beforeEffect;
    this.revertedAttempt = options.revertedAttempt;
  }

  /** Numbers a call: among all calls of the attempt, and among those of its tool. Both from 1. */
  nextCall(toolName: string): { seq: number; ordinal: number } {
    const ordinal = (this.#ordinals.get(toolName) ?? 0) + 1;
    this.#ordinals.set(toolName, ordinal);
    this.#calls += 1;
    return { seq: this.#calls, ordinal };
  }

  /**
   * Runs `change` after all changes asked for before it. Models call tools in
   * parallel, also on one file: without turns, the second of two edits would undo
   * the first.
   */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(change);
    this.#lastChange = result.catch(() => undefined);
    return result;
  }
}

const storage = new AsyncLocalStorage<() => ToolContext>();

/**
 * A context for tools that are called outside of a task.
 * @throws INVALID_INPUT for an option that is unknown or not as described
 */
export function createToolContext(options: ToolContextOptions = {}): ToolContext {
  return new ToolContext(options);
}

/** Runs `fn`; tools called from it, also later and asynchronously, use `context`. */
export function runWithToolContext<T>(context: ToolContext, fn: () => T): T {
  return storage.run(() => context, fn);
}

/** As `runWithToolContext`, with a context that is made when the first tool is called: most functions call none. */
export function runWithLazyToolContext<T>(make: () => ToolContext, fn: () => T): T {
  return storage.run(once(make), fn);
}

/** The context that the caller runs in, if any. */
export function currentToolContext(): ToolContext | undefined {
  return storage.getStore()?.();
}

function isolationOf({ toolIsolation, allowNetwork }: Pick<ToolContext, "toolIsolation" | "allowNetwork">) {
  if (toolIsolation !== "none" || allowNetwork) return toolIsolation;
  throw new ServiceError("INVALID_INPUT", 'Tool option toolIsolation "none" needs allowNetwork: true.', {
    details: {
      issues: [{ path: "toolIsolation", message: "nothing cuts the network off without isolation" }],
    },
  });
}
