import type { FrameTask } from "../../model/graph.js";
import type { FrameDiff } from "../../operations/index.js";
import { sameData } from "../../util/same-data.js";
import { defineCommand } from "../command.js";
import { wholeNumber } from "../input/option-values.js";
import type { Colors } from "../output/styles.js";
import { taskName } from "../output/task-name.js";
import { runArgument } from "../runs/with-run.js";
import { withNamed } from "../source/open-place.js";
import type { Place } from "../source/place.js";

export const diff = defineCommand({
  examples: [
    { command: "treadle diff latest 3", meaning: "what has changed since frame 3" },
    { command: "treadle diff k3j2 3 12 --json", meaning: "between two frames, as data" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("<from>", "number of a frame, as timeline lists it")
      .argument("[to]", "number of another one (default: the newest)");
  },
  async run(call) {
    const [, from, to] = call.args as readonly (string | undefined)[];
    const fromFrameNo = wholeNumber("<from>")(from as string);
    const given = to === undefined ? undefined : wholeNumber("<to>")(to);
    const found = await withNamed(call, async ({ place, run: { runId } }) => {
      const toFrameNo = given ?? (await newestOf(place, runId)) ?? fromFrameNo;
      return place.diffFrames({ runId, fromFrameNo, toFrameNo });
    });
    return { json: found, text: (colors) => diffText(found, colors) };
  },
});

async function newestOf(place: Place, runId: string): Promise<number | undefined> {
  const { frames } = await place.listFrames({ runId, limit: 1 });
  return frames[0]?.frameNo;
}

function diffText({ added, removed, changed, isTreeChanged }: FrameDiff, colors: Colors): string {
  const lines = [
    ...removed.map((task) => colors.red(`- ${taskName(task)}`)),
    ...added.map((task) => colors.green(`+ ${taskName(task)}`)),
    ...changed.map(
      ({ before, after }) =>
        `${colors.yellow("~")} ${taskName(after)}  ${colors.dim(changedMembers(before, after))}`,
    ),
  ];
  if (lines.length > 0) return lines.join("\n");
  return isTreeChanged
    ? "The same tasks; the tree around them differs (treadle frame shows it)."
    : "The two frames are alike.";
}

function changedMembers(before: FrameTask, after: FrameTask): string {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof FrameTask>;
  return [...names].filter((name) => !sameData(before[name], after[name])).join(", ");
}
