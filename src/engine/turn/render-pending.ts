import { keptError } from "../attempt/without-secrets.js";
import { ServiceError } from "../../errors/service-error.js";
import type { RenderedFrame } from "../../model/graph.js";
import { FrameWaits } from "../../renderer/frame-waits.js";
import type { Disposition, FrameRequest } from "../../scheduler/index.js";
import type { FrameWrite } from "../../store/index.js";
import { advance } from "./advance.js";
import type { CommitBuilder } from "./commit.js";
import { refuseLateMembers } from "./late-members.js";
import { refuseLostSteps } from "./lost-steps.js";
import type { RunSession } from "../session/session.js";
import type { CodeView } from "../view/code-view.js";
import { nameTable } from "../view/name-table.js";

/** By a frame a loop may end, which the same frame has read of. A tree that does not settle is left as it is. */
const MOST_REDRAWN = 3;

/**
 * Answers every frame the scheduler asks for, from memory where the last render has not read what changed.
 * The disposition is `render` where a frame can only be drawn later: there is another turn then, and what
 * arrives until then is heard.
 */
export function renderPending(session: RunSession, commit: CommitBuilder): Disposition {
  let newest: FrameWrite | null = null;
  for (let redrawn = 0; ; ) {
    const stand = session.scheduler.disposition;
    if (stand.kind !== "render") return stand;
    const { request } = stand;
    if (canReuse(session, request)) {
      newest = logFrame(session, commit, session.frame as RenderedFrame, request);
      advance(session, commit, { type: "frame-unchanged" });
      continue;
    }
    try {
      newest = renderFrame(session, commit, { request, logged: newest });
      if (redrawn < MOST_REDRAWN && session.view.reads.areStale) {
        redrawn += 1;
        advance(session, commit, { type: "invalidate", reason: "control" });
      }
    } catch (thrown) {
      const waits = thrown instanceof FrameWaits ? thrown : null;
      if (waits === null || waits.tooLong !== null) {
        failRender(session, commit, waits?.tooLong ?? thrown);
      } else if (session.state.cancelling === null) {
        drawLater(session, waits);
        return stand;
      } else {
        // Nothing that it would mount may begin any more.
        advance(session, commit, { type: "frame-unchanged" });
      }
    }
  }
}

function drawLater(session: RunSession, waits: FrameWaits): void {
  session.drawing ??= waits.settled().then(() => {
    session.drawing = null;
    // Code that came meanwhile had to wait for the frame as well.
    if (session.updates === null) session.mailbox.wake();
    else session.mailbox.post({ type: "code" });
  });
}

function failRender(session: RunSession, commit: CommitBuilder, thrown: unknown): void {
  nameTable(session, thrown);
  const error = keptError(thrown, session.config);
  advance(session, commit, { type: "render-failed", error });
}

function canReuse(session: RunSession, request: FrameRequest): boolean {
  return !request.force && session.frame !== null && !session.readsChanged && !session.view.reads.areStale;
}

/** @param logged the newest frame of this turn @returns the newest one now */
function renderFrame(
  session: RunSession,
  commit: CommitBuilder,
  { request, logged }: { request: FrameRequest; logged: FrameWrite | null },
): FrameWrite | null {
  const before = session.frame;
  if (session.firstThrown !== null) throw session.firstThrown.thrown;
  const frame = session.firstFrame ?? renderStable(session.view, before);
  session.firstFrame = null;
  refuseLostSteps(session.state, frame.plan);
  if (frame.structureVersion !== before?.structureVersion) refuseLateMembers(session.state, frame);
  session.readsChanged = false;
  session.frame = frame;
  const isSame = before !== null && before.structureVersion === frame.structureVersion;
  let write = logged;
  if (!isSame && request.reason === "control" && isUnseen(logged)) showIn(session, frame, logged);
  else if (!isSame || request.reason === "output") write = logFrame(session, commit, frame, request);
  advance(session, commit, { type: "frame", frame, reason: request.reason });
  return write;
}

/** The row of a task has left the tree as it was: what follows from it in the same commit is what its frame shows. */
function isUnseen(logged: FrameWrite | null): logged is FrameWrite {
  return logged?.reason === "output" && logged.snapshot === undefined;
}

/** Ids in a message. */
const MOST_NAMED = 5;

/**
 * A frame that has put other tasks in the place of mounted ones is drawn once
 * more from the same rows: it must give the same ids.
 * @throws WORKFLOW_RENDER_FAILED
 */
export function renderStable(view: CodeView, before: RenderedFrame | null): RenderedFrame {
  const frame = render(view);
  if (before === null || !replacesTasks(before, frame)) return frame;
  // The descriptors of a frame may be poured into the next one.
  const ids = new Set(frame.tasks.map(({ nodeId }) => nodeId));
  const again = render(view);
  const strange = again.tasks.flatMap(({ nodeId }) => (ids.has(nodeId) ? [] : [nodeId]));
  if (strange.length === 0) return again;
  const gone = new Set(again.tasks.map(({ nodeId }) => nodeId));
  const lost = [...ids].filter((id) => !gone.has(id));
  throw new ServiceError(
    "WORKFLOW_RENDER_FAILED",
    `The ids of tasks change with every render: ${named(lost)} became ${named(strange)} although no row came in between. Give each task an id that stays the same: a constant, or one made of its item's own key.`,
    { details: { nodeIds: strange, before: lost } },
  );
}

function replacesTasks(before: RenderedFrame, { tasks }: RenderedFrame): boolean {
  if (before.tasks === tasks) return false;
  const isSame =
    before.tasks.length === tasks.length &&
    before.tasks.every(({ nodeId }, index) => nodeId === tasks[index]?.nodeId);
  if (isSame || tasks.length === 0) return false;
  const ids = new Set(before.tasks.map(({ nodeId }) => nodeId));
  const kept = tasks.filter(({ nodeId }) => ids.has(nodeId)).length;
  return kept < tasks.length && kept < before.tasks.length;
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_NAMED).join(", ");
  return ids.length > MOST_NAMED ? `${shown} and ${ids.length - MOST_NAMED} more` : shown;
}

export function render({ frames, reads, outline }: CodeView): RenderedFrame {
  reads.start();
  try {
    const frame = frames.render();
    if (!outline.adopt(frame)) return frame;
    // Its reads of loops and nested tasks were of the last frame: only this one says which are mounted now.
    reads.start();
    const corrected = frames.render();
    outline.adopt(corrected);
    return corrected;
  } finally {
    reads.stop();
  }
}

function logFrame(
  session: RunSession,
  commit: CommitBuilder,
  frame: RenderedFrame,
  request: FrameRequest,
): FrameWrite {
  session.ledger.frameNo += 1;
  const { frameNo } = session.ledger;
  const write: FrameWrite = {
    frameNo,
    createdAtMs: commit.now,
    reason: request.reason,
    nodeId: request.nodeId ?? null,
    iteration: request.iteration ?? null,
    snapshotFrameNo: frameNo,
  };
  commit.frames.push(write);
  showIn(session, frame, write);
  commit.event({
    type: "FrameCommitted",
    frameNo,
    reason: request.reason,
    ...(request.nodeId !== undefined && { nodeId: request.nodeId }),
    ...(request.iteration !== undefined && { iteration: request.iteration }),
  });
  return write;
}

/** Gives a frame that is to be written its picture. */
function showIn({ frameLog, services }: RunSession, frame: RenderedFrame, write: FrameWrite): void {
  const startedMs = performance.now();
  Object.assign(write, frameLog.show(frame, write.frameNo));
  if (write.snapshot !== undefined) services.watch?.onSnapshot?.(performance.now() - startedMs);
}
