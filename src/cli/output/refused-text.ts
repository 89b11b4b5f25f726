import type { Blocker } from "../../operations/index.js";
import { agoText } from "./times.js";
import { visibleLine } from "./visible-text.js";

/** For the decider, who may think that it is done: the last decision that did not count, and why. */
export function refusedLines({ refused = [] }: Pick<Blocker, "refused">, nowMs: number): string[] {
  return refused.slice(0, 1).map(({ approved, decidedBy, message, atMs }) => {
    const what = approved ? "approval" : "denial";
    const whose = decidedBy === undefined ? `The ${what}` : `The ${what} by ${decidedBy}`;
    return visibleLine(`! ${whose} was refused ${agoText(atMs, nowMs)}: ${message}`);
  });
}
