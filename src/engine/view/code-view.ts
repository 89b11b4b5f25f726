import type { EngineWorkflow, FrameSource } from "../ports.js";
import type { OutlineView } from "./outline.js";
import type { RenderReads } from "./reads.js";

/** One code's picture of a run: what draws its frames, and what these have read. */
export interface CodeView {
  readonly workflow: EngineWorkflow;
  readonly frames: FrameSource;
  readonly reads: RenderReads;
  readonly outline: OutlineView;
}
