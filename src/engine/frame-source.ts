import type { RenderedFrame } from "../model/graph.js";

/** Renders frames of one run. */
export interface FrameSource {
  render(): RenderedFrame;
  dispose(): void;
}
