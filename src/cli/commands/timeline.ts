import type { FrameRow } from "../../store/index.js";
import { defineCommand } from "../command.js";
import { positiveInteger, wholeNumber } from "../input/option-values.js";
import { formatTable } from "../output/table.js";
import { taskName } from "../output/task-name.js";
import { clockText } from "../output/times.js";
import { runArgument } from "../runs/with-run.js";
import { withNamed } from "../source/open-place.js";

interface TimelineOptions {
  afterFrame?: number;
  limit: number;
}

export const timeline = defineCommand<TimelineOptions>({
  examples: [
    { command: "treadle timeline latest", meaning: "the newest 50 frames of the newest run, oldest first" },
    { command: "treadle timeline k3j2 --after-frame 120 --json", meaning: "frames 121 and later, as data" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .option("--after-frame <n>", "only frames after this number", wholeNumber("--after-frame"))
      .option("-l, --limit <n>", "the newest so many", positiveInteger("--limit"), 50);
  },
  async run(call) {
    const { afterFrame, limit } = call.options;
    return withNamed(call, async ({ place, run }) => {
      const { runId } = run;
      // One more tells whether some are left out.
      const query = {
        runId,
        limit: limit + 1,
        ...(afterFrame !== undefined && { afterFrameNo: afterFrame }),
      };
      const newestFirst = (await place.listFrames(query)).frames;
      const isCut = newestFirst.length > limit;
      const frames = newestFirst.slice(0, limit).reverse();
      const startMs = run.startedAtMs ?? run.createdAtMs;
      return {
        json: { runId, frames, isCut },
        text(colors, width) {
          if (frames.length === 0) return "There are no such frames.";
          const header = ["FRAME", "AT", "BECAUSE OF", "TASK"].map(colors.dim);
          const table = formatTable(header, rowsOf(frames, startMs), { width, names: ["FRAME"] });
          return isCut
            ? `${colors.dim("… there are earlier ones: --limit <n> shows them")}\n${table}`
            : table;
        },
      };
    });
  },
});

function rowsOf(frames: readonly FrameRow[], startMs: number): string[][] {
  return frames.map(({ frameNo, createdAtMs, reason, nodeId, iteration }) => [
    String(frameNo),
    `+${clockText(createdAtMs - startMs)}`,
    reason,
    nodeId === null ? "" : taskName({ nodeId, iteration: iteration ?? 0 }),
  ]);
}
