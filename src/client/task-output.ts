import type { RunEvent } from "../model/events.js";
import { END, type Followed } from "./follow.js";

type KeptText = Omit<Extract<RunEvent, { type: "NodeOutput" }>, "type">;

/** A text of a task. */
export type SpokenText =
  /** As the log keeps it; `seq` is the number of its event. */
  | (KeptText & { kind: "output"; seq: number })
  /** A piece of what an agent is writing, before the log has it. Some may be missing; the text comes again as `output`. */
  | (Pick<KeptText, "runId" | "nodeId" | "iteration" | "attempt" | "text"> & { kind: "delta" });

/** Whose text, from where on, and when to stop. */
export interface TaskOutputOptions {
  /** Only of this node. @default all nodes of the run */
  nodeId?: string;
  /** Only kept text with a greater `seq`. @default -1: from the first */
  afterSeq?: number;
  /** Ends the iteration, without an error. */
  signal?: AbortSignal;
}

/** Output of a run's tasks; everything that the log keeps, in order and once. */
export function taskOutput(
  runId: string,
  { nodeId, afterSeq = -1 }: TaskOutputOptions,
): Followed<SpokenText> {
  let lastSeq = afterSeq;
  return {
    method: "streamTaskOutput",
    params: () => ({ runId, afterSeq: lastSeq, ...(nodeId !== undefined && { nodeId }) }),
    read({ event, payload, seq = -1 }) {
      if (event === "run.end") return END;
      const { streamId: _stream, ...text } = payload as KeptText & { streamId?: string; lossy?: true };
      if (event === "task.delta") {
        const { lossy: _lossy, ...piece } = text;
        return [{ ...piece, kind: "delta" }];
      }
      if (event !== "task.output" || seq <= lastSeq) return [];
      lastSeq = seq;
      return [{ ...text, kind: "output", seq }];
    },
  };
}
