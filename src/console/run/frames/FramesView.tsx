/** @jsxImportSource react */
import { useMethod } from "../../../react/index.js";
import { useRefusal } from "../../access/token.js";
import { places } from "../../frame/places.js";
import { useRouter } from "../../frame/router.js";
import { Moment } from "../../parts/Moment.js";
import { Reading } from "../../parts/Reading.js";
import { TaskTree } from "../TaskTree.js";
import { useFrame } from "../use-frame.js";
import { FrameActions } from "./FrameActions.js";
import { FrameChanges } from "./FrameChanges.js";
import { FrameList } from "./FrameList.js";
import { FrameScrubber } from "./FrameScrubber.js";
import { reasonOf } from "./reason-of.js";
import { useKept } from "./use-kept.js";

/** Frames that are listed at once. */
const PAGE = 100;
/** Number of the first; 0 is a run without one. */
const FIRST = 1;

export default function FramesView({ runId, newest }: { runId: string; newest: number }) {
  if (newest < FIRST) return <p className="empty">The run has no frame yet.</p>;
  return <Frames runId={runId} newest={newest} />;
}

/** The past of a run, frame by frame: its tree, which tasks had ended by then, and the difference to the frame before. */
function Frames({ runId, newest }: { runId: string; newest: number }) {
  const { query, go } = useRouter();
  const frameNo = chosen(query.get("frame"), newest);
  const first = frameNo - (frameNo % PAGE);
  const listed = useMethod("listFrames", {
    runId,
    beforeFrameNo: first + PAGE,
    ...(first > 0 && { afterFrameNo: first - 1 }),
    limit: PAGE,
  });
  useRefusal(listed.error);
  const read = useFrame(runId, frameNo);
  const past = useMethod("listNodesAsOf", { runId, frameNo });
  const nodes = useKept(past)?.nodes;
  const frames = useKept(listed)?.frames ?? [];
  const frame = frames.find((each) => each.frameNo === frameNo);
  const show = (to: number) => go(places.frames(runId, { frame: String(to) }), { replaces: true });
  return (
    <section className="pane frames" aria-label="Frames of the run">
      <FrameScrubber
        frameNo={frameNo}
        first={FIRST}
        newest={newest}
        text={frame === undefined ? `Frame ${frameNo}` : `Frame ${frameNo}: ${reasonOf(frame)}`}
        onChange={show}
      />
      <div className="frame-head">
        <h2>Frame {frameNo}</h2>
        {frame !== undefined && (
          <span className="hint">
            {reasonOf(frame)}, <Moment at={frame.createdAtMs} />
          </span>
        )}
        <FrameActions runId={runId} frameNo={frameNo} />
      </div>
      <Reading {...listed} isLoading={listed.isLoading && frames.length === 0} />
      <div className="frame-parts">
        <FrameList runId={runId} frames={frames} chosen={frameNo} onChoose={show} />
        <div className="frame-tree">
          {frameNo === FIRST ? (
            <p className="frame-changes hint">The first frame.</p>
          ) : (
            <FrameChanges runId={runId} frameNo={frameNo} />
          )}
          <Reading {...past} isLoading={past.isLoading && nodes === undefined} />
          {nodes !== undefined && <TaskTree runId={runId} read={read} nodes={nodes} selected={undefined} />}
        </div>
      </div>
    </section>
  );
}

/** The frame that the address names, or the newest. */
function chosen(text: string | null, newest: number): number {
  const asked = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : newest;
  return Math.max(FIRST, Math.min(asked, newest));
}
