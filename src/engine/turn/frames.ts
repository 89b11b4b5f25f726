import { applyDelta, encodeDelta, encodeKeyframe, toFrameSnapshot } from "../../graph/frame-delta.js";
import type { FrameSnapshot } from "../../graph/frame-snapshot.js";
import type { RenderedFrame } from "../../model/graph.js";
import type { ChainedSnapshot, FrameWrite, StoredSnapshot } from "../../store/index.js";

/** At least every so many changed frames the whole snapshot is stored, so that reading one never replays a long chain. */
const KEYFRAME_EVERY = 50;

/** Decides what of each is stored: nothing, a delta, or everything. */
export class FrameLog {
  #previous: FrameSnapshot | null;
  /** The newest frame that was given here. */
  #frame: RenderedFrame | null = null;
  #sinceKeyframe: number;
  /** The stored text of `#previous`, where that is one text. */
  #stored: string | null = null;
  /** Number of the newest frame of which something is stored. */
  #shown: number;

  /** `chain` is what is stored of the newest frame, which a resumed run continues from. */
  constructor(chain: readonly ChainedSnapshot[]) {
    this.#shown = chain.at(-1)?.frameNo ?? 0;
    this.#previous = chain.length === 0 ? null : applyDelta(chain);
    this.#sinceKeyframe = chain.length;
    if (chain.length === 1) this.#stored = chain[0]?.json ?? null;
  }

  /** The stored newest frame; null before the first. */
  get newest(): FrameSnapshot | null {
    return this.#previous;
  }

  /** What is to be stored of the newest frame, which gets this number. */
  show(frame: RenderedFrame, frameNo: number): Pick<FrameWrite, "snapshot" | "snapshotFrameNo"> {
    const snapshot = this.#changeTo(frame);
    if (snapshot === null) return { snapshotFrameNo: this.#shown };
    this.#shown = frameNo;
    return { snapshot, snapshotFrameNo: frameNo };
  }

  /** Null where it shows what the one before it shows. */
  #changeTo(frame: RenderedFrame): StoredSnapshot | null {
    const before = this.#frame;
    if (frame.structureVersion === before?.structureVersion) return null;
    const known = before !== null && this.#previous !== null && { frame: before, snapshot: this.#previous };
    const snapshot = toFrameSnapshot(frame, known || undefined);
    this.#frame = frame;
    const stored = this.#store(snapshot);
    this.#previous = snapshot;
    return stored;
  }

  #store(snapshot: FrameSnapshot): StoredSnapshot | null {
    const known = this.#stored;
    this.#stored = null;
    // Most resumes begin with the frame that is there: comparing texts costs less than looking for what changed.
    if (known !== null && encodeKeyframe(snapshot) === known) return null;
    if (this.#previous === null || this.#sinceKeyframe >= KEYFRAME_EVERY) {
      this.#sinceKeyframe = 1;
      return { encoding: "keyframe", json: encodeKeyframe(snapshot) };
    }
    const delta = encodeDelta(this.#previous, snapshot);
    if (delta === null) return null;
    this.#sinceKeyframe += 1;
    return { encoding: "delta", json: delta };
  }
}
