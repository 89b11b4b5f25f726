import { join } from "node:path";
import { runRoot } from "../../engine/index.js";
import { realPath } from "../../process/workspace-state.js";
import type { RunEvent } from "../../model/events.js";
import type { RunRow } from "../../model/run.js";
import type { Store } from "../../store/index.js";
import type { FileState } from "../../vcs/file-state.js";

type FilesEvent = Extract<RunEvent, { type: "FilesRecorded" | "FilesNotRecorded" }>;

/** What the log has of one attempt's files. */
export interface RecordedAttempt {
  before?: FileState;
  after?: FileState;
  /** Why one of them is missing. */
  reason?: string;
}

const ALL = Number.MAX_SAFE_INTEGER;

export function stateOf(event: Extract<FilesEvent, { type: "FilesRecorded" }>): FileState {
  const { vcs, root, folder, gitFolder, commit, head, operation, leftOut } = event;
  const state: FileState = { vcs, root, folder, gitFolder, commit, head, leftOut };
  return operation === undefined ? state : { ...state, operation };
}

/**
 * The files of a task's attempts, by their numbers. A fork has those of the tasks that it has kept in the log of the run
 * that it was made of.
 */
export async function recordedAttempts(
  store: Store,
  run: RunRow,
  { nodeId, iteration }: { nodeId: string; iteration: number },
): Promise<Map<number, RecordedAttempt>> {
  const found = new Map<number, RecordedAttempt>();
  const parent = run.config.fork && (await store.getRun(run.config.fork.runId));
  for (const [attempt, files] of parent ? await recordedAttempts(store, parent, { nodeId, iteration }) : []) {
    found.set(attempt, files);
  }
  const types: FilesEvent["type"][] = ["FilesRecorded", "FilesNotRecorded"];
  const events = await store.listEvents(run.runId, { types, nodeId, limit: ALL });
  const own = new Map<number, RecordedAttempt>();
  for (const { event } of events) {
    if (event.type !== "FilesRecorded" && event.type !== "FilesNotRecorded") continue;
    if (event.iteration !== iteration) continue;
    const files = own.get(event.attempt) ?? {};
    if (event.type === "FilesRecorded") files[event.moment] = stateOf(event);
    else files.reason = event.reason;
    own.set(event.attempt, files);
  }
  for (const [attempt, files] of own) found.set(attempt, files);
  return found;
}

/**
 * The files of a run's folder as they were at an event of its log: the newest that were recorded by then, be it in the run
 * that it was made of, else the oldest of later. Undefined where none were ever recorded.
 */
export async function filesAt(store: Store, run: RunRow, seq: number): Promise<FileState | undefined> {
  const root = realPath(runRoot(run.config));
  const first = async (query: { beforeSeq?: number; afterSeq?: number; descending?: boolean }) => {
    const events = await store.listEvents(run.runId, { types: ["FilesRecorded"], limit: ALL, ...query });
    const states = events.flatMap(({ event }) => (event.type === "FilesRecorded" ? [stateOf(event)] : []));
    return states.find((state) => join(state.root, state.folder) === root);
  };
  const earlier = await first({ beforeSeq: seq + 1, descending: true });
  return earlier ?? (await filesOfParent(store, run)) ?? first({ afterSeq: seq });
}

async function filesOfParent(store: Store, { config }: RunRow): Promise<FileState | undefined> {
  if (config.fork === undefined) return undefined;
  const parent = await store.getRun(config.fork.runId);
  const rows = parent && (await store.rowsAsOf(parent.runId, config.fork.frameNo));
  return parent && rows && filesAt(store, parent, rows.seq);
}
