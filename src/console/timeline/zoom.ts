import type { TimeAxis } from "./axis.js";

/** The part of the axis that is shown, from 0 to 1. */
export interface AxisPart {
  from: number;
  to: number;
}

export const WHOLE: AxisPart = { from: 0, to: 1 };

/** Of the axis: a part that is smaller shows nothing more. */
const SMALLEST = 0.0005;

/** A larger or smaller part around a place of it, from 0 to 1; never more than there is. */
export function zoomed({ from, to }: AxisPart, factor: number, at: number): AxisPart {
  const size = Math.min(1, Math.max(SMALLEST, (to - from) / factor));
  const place = from + at * (to - from);
  return moved({ from: place - at * size, to: place + (1 - at) * size }, 0);
}

/** The part beside it, by a share of its own size; it ends where the run does. */
export function moved({ from, to }: AxisPart, share: number): AxisPart {
  const size = Math.min(1, to - from);
  const start = Math.min(1 - size, Math.max(0, from + share * size));
  return { from: start, to: start + size };
}

/** The axis as its part is drawn: what lies outside has places below 0 or above 1. */
export function partOf(axis: TimeAxis, { from, to }: AxisPart): TimeAxis {
  const place = (share: number) => (share - from) / (to - from);
  return {
    stretches: axis.stretches.map((stretch) => ({
      ...stretch,
      from: place(stretch.from),
      to: place(stretch.to),
    })),
    at: (ms) => place(axis.at(ms)),
    momentAt: (share) => axis.momentAt(from + share * (to - from)),
  };
}
