/** @jsxImportSource react */
import { useEffect, useRef } from "react";
import { Moment } from "../../parts/Moment.js";
import { places } from "../../frame/places.js";
import { Link } from "../../frame/router.js";
import { type ListedFrame, reasonOf } from "./reason-of.js";

interface FrameListProps {
  runId: string;
  /** Newest first. */
  frames: readonly ListedFrame[];
  chosen: number;
  onChoose(frameNo: number): void;
}

/** The frames around the chosen one, each with its reason. */
export function FrameList({ runId, frames, chosen, onChoose }: FrameListProps) {
  const list = useRef<HTMLOListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chosen frame, or its line that has come, is what it follows.
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [chosen, frames.length]);
  return (
    <ol ref={list} className="frame-list" aria-label="Frames">
      {frames.map((frame) => {
        const { frameNo, snapshotFrameNo, createdAtMs } = frame;
        return (
          <li key={frameNo}>
            <Link
              to={places.frames(runId, { frame: String(frameNo) })}
              aria-current={frameNo === chosen ? "true" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                onChoose(frameNo);
              }}
            >
              <span className="seq number">{frameNo}</span>
              <span className="frame-reason">
                {reasonOf(frame)}
                <span className="hint">
                  <Moment at={createdAtMs} />
                  {snapshotFrameNo !== frameNo && `, tree as in frame ${snapshotFrameNo}`}
                </span>
              </span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
