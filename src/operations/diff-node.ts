import { ServiceError } from "../errors/service-error.js";
import type { TaskKey } from "../model/address.js";
import { checkOptions } from "../options/check-options.js";
import * as rules from "../options/option-rules.js";
import type { FileState } from "../vcs/file-state.js";
import { diffStates, NotComparable, type StatesDiff } from "../vcs/diff-states.js";
import { othersAtWork } from "./files/others-at-work.js";
import { type RecordedAttempt, recordedAttempts } from "./files/recorded-files.js";
import { sandboxChanges } from "./files/sandbox-changes.js";
import { requireRun } from "./request/require-run.js";
import { engineServices, type OperationTarget, storeOf } from "./request/target.js";

/** Which task, and which part of what it has changed. */
export interface NodeDiffRequest {
  runId: string;
  nodeId: string;
  /** From 0. @default the newest */
  iteration?: number;
  /** From 1. @default the newest */
  attempt?: number;
  /** Number of the first file, from 0. @default 0 */
  firstFile?: number;
  /** Only this file, as the list names it, however long its patch is. @default all */
  path?: string;
  /** Of `path`: where its patch goes on. @default 0 */
  offset?: number;
}

/** What an attempt of a task has changed in the folder that it worked in. */
export interface NodeDiff extends StatesDiff {
  runId: string;
  nodeId: string;
  iteration: number;
  attempt: number;
  /** Where it is known from: states of a repository, or the patch of a sandbox. Null: nothing is known. */
  source: "git" | "jj" | "sandbox" | null;
  /** Why nothing is known, or why no more. */
  reason: string | null;
  /** The folder that it worked in, absolute. */
  folder: string | null;
  /** The commits that hold the files before and after. */
  from: string | null;
  to: string | null;
  /** The attempt's end was not recorded, its process died perhaps: it is compared with the beginning of the next one. */
  isUntilNext: boolean;
  /** Keys of other tasks of the run that were at work in this folder meanwhile: their changes are among these. */
  othersAtWork: TaskKey[];
  /** Files that were not recorded after the attempt: they cannot be read, or belong to a repository inside. */
  leftOut: number;
}

const RULES = {
  runId: rules.required(rules.name),
  nodeId: rules.required(rules.name),
  iteration: rules.wholeNumber,
  attempt: rules.positiveInteger,
  firstFile: rules.withDefault(rules.wholeNumber, 0),
  path: rules.name,
  offset: rules.withDefault(rules.wholeNumber, 0),
} satisfies rules.OptionRules<NodeDiffRequest>;

const NOTHING: StatesDiff = { files: [], totals: { files: 0, additions: 0, deletions: 0 }, nextFile: null };

/**
 * What a task has changed in its folder: the files with their status, lines and patch, a page of them at a time. It is
 * known of tasks whose files were recorded, and of sandboxes; of others the answer says why it is not.
 * @throws RUN_NOT_FOUND, NODE_NOT_FOUND, VCS_NOT_FOUND where the states are not in the repository any more, INVALID_INPUT
 */
export async function diffNode(target: OperationTarget, request: NodeDiffRequest): Promise<NodeDiff> {
  const { firstFile, path, offset, ...asked } = checkOptions("diffNode", request, RULES);
  const store = await storeOf(target);
  const run = await requireRun(store, asked.runId);
  const { runId, nodeId } = asked;
  const node = await store.getNode(runId, nodeId, asked.iteration);
  if (node === undefined)
    throw noSuch(
      `Run ${runId} has no node ${nodeId}${asked.iteration === undefined ? "" : ` at iteration ${asked.iteration}`}.`,
      asked,
    );
  const { iteration } = node;
  const attempt = asked.attempt ?? node.lastAttempt;
  const rows = await store.listAttempts(runId, nodeId, iteration);
  const own = rows.find((row) => row.attempt === attempt);
  if (own === undefined && asked.attempt !== undefined)
    throw noSuch(`Task ${nodeId} of run ${runId} has no attempt ${attempt}.`, asked);
  const recorded = await recordedAttempts(store, run, { nodeId, iteration });
  const files = recorded.get(attempt) ?? {};
  const place = { runId, nodeId, iteration, attempt };
  const until = files.after ?? recorded.get(attempt + 1)?.before;
  if (files.before === undefined || until === undefined || own === undefined) {
    const changes = await sandboxChanges(store, place);
    const source = changes === undefined ? null : "sandbox";
    const reason = changes === undefined ? whyUnknown(files, own?.state) : null;
    return { ...place, ...unknown, source, reason, ...(changes ?? NOTHING) };
  }
  const range = { from: files.before, to: until };
  const changes = await compared(range, { firstFile, path, offset });
  if (path !== undefined && changes.files.length === 0) {
    const message = `Attempt ${attempt} of ${nodeId} has changed no file ${JSON.stringify(path)}.`;
    throw new ServiceError("INVALID_INPUT", message, { details: { ...place, path } });
  }
  const { clock } = engineServices(store);
  return {
    ...place,
    source: until.vcs,
    reason: files.reason ?? null,
    folder: folderOf(until),
    from: files.before.commit,
    to: until.commit,
    isUntilNext: files.after === undefined,
    othersAtWork: await othersAtWork(store, runId, { own, state: until, nowMs: clock.now() }),
    leftOut: until.leftOut,
    ...changes,
  };
}

const unknown = { folder: null, from: null, to: null, isUntilNext: false, othersAtWork: [], leftOut: 0 };

function folderOf({ root, folder }: FileState): string {
  return folder === "" ? root : `${root}/${folder}`;
}

function whyUnknown({ before, reason }: RecordedAttempt, state: string | undefined): string {
  if (reason !== undefined) return reason;
  if (state === undefined) return "the task has not begun";
  if (state === "in-progress") return "the task is still at work";
  if (before !== undefined) return "the attempt's end was not recorded";
  return "no files were recorded: the task has called no tool that changes any, its folder is in no repository, or recording was switched off";
}

/** @throws VCS_NOT_FOUND */
async function compared(
  range: { from: FileState; to: FileState },
  request: { firstFile: number; path: string | undefined; offset: number },
): Promise<StatesDiff> {
  try {
    return await diffStates(range, request);
  } catch (error) {
    if (!(error instanceof NotComparable)) throw error;
    const { gitFolder } = range.to;
    throw new ServiceError(
      "VCS_NOT_FOUND",
      `The recorded files are not in ${gitFolder} any more, or it belongs to another machine: ${error.message}`,
      { details: { gitFolder, from: range.from.commit, to: range.to.commit } },
    );
  }
}

function noSuch(message: string, details: Record<string, unknown>): ServiceError {
  return new ServiceError("NODE_NOT_FOUND", message, { details });
}
