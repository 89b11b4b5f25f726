/** A frame of a run. */
export interface FramePlace {
  runId: string;
  frameNo: number;
}
