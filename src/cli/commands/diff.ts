import type { FrameTask } from "../../model/graph.js";
import { ServiceError } from "../../errors/service-error.js";
import type { FrameDiff, NodeDiffRequest } from "../../operations/index.js";
import { sameData } from "../../util/same-data.js";
import { type CommandCall, defineCommand } from "../command.js";
import { positiveInteger, wholeNumber } from "../input/option-values.js";
import { nodeDiffText } from "../output/node-diff-text.js";
import type { Report } from "../report.js";
import type { Colors } from "../output/styles.js";
import { taskName } from "../output/task-name.js";
import { runArgument } from "../runs/with-run.js";
import { withNamed } from "../source/open-place.js";
import type { Place } from "../source/place.js";

interface DiffFlags {
  node?: string;
  iteration?: number;
  attempt?: number;
  path?: string;
}

export const diff = defineCommand<DiffFlags>({
  examples: [
    { command: "treadle diff latest 3", meaning: "what has changed since frame 3" },
    { command: "treadle diff k3j2 3 12 --json", meaning: "between two frames, as data" },
    { command: "treadle diff latest --node fix", meaning: "what the task fix has changed in its repository" },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("[from]", "number of a frame, as timeline lists it")
      .argument("[to]", "number of another one (default: the newest)")
      .option("-n, --node <id>", "instead: files that this task has changed")
      .option("--iteration <n>", "of --node (default: its newest)", wholeNumber("--iteration"))
      .option("--attempt <n>", "of --node (default: its newest)", positiveInteger("--attempt"))
      .option("--path <file>", "of --node: only this file, with its whole patch (default: all of them)");
  },
  async run(call) {
    const [, from, to] = call.args as readonly (string | undefined)[];
    const { node, iteration, attempt, path } = call.options;
    // The options of every command, such as where its runs are, are no part of the question.
    const ofNode = {
      ...(iteration !== undefined && { iteration }),
      ...(attempt !== undefined && { attempt }),
      ...(path !== undefined && { path }),
    };
    if (node !== undefined) {
      if (from !== undefined) throw new ServiceError("CLI_USAGE", "diff takes frames or --node, not both.");
      return diffOfNode(call, { nodeId: node, ...ofNode });
    }
    const stray = (["iteration", "attempt", "path"] as const).find((name) => name in ofNode);
    if (stray !== undefined) throw new ServiceError("CLI_USAGE", `--${stray} needs --node.`);
    if (from === undefined) {
      throw new ServiceError(
        "CLI_USAGE",
        "diff needs the number of a frame, as timeline lists it, or --node.",
      );
    }
    const fromFrameNo = wholeNumber("<from>")(from);
    const given = to === undefined ? undefined : wholeNumber("<to>")(to);
    const found = await withNamed(call, async ({ place, run: { runId } }) => {
      const toFrameNo = given ?? (await newestOf(place, runId)) ?? fromFrameNo;
      return place.diffFrames({ runId, fromFrameNo, toFrameNo });
    });
    return { json: found, text: (colors) => diffText(found, colors) };
  },
});

/** All pages of it. */
async function diffOfNode(
  call: CommandCall<DiffFlags>,
  asked: Omit<NodeDiffRequest, "runId">,
): Promise<Report> {
  const found = await withNamed(call, async ({ place, run: { runId } }) => {
    const whole = await place.diffNode({ runId, ...asked });
    for (let next = whole.nextFile; next !== null; ) {
      const page = await place.diffNode({ runId, ...asked, attempt: whole.attempt, firstFile: next });
      whole.files.push(...page.files);
      next = page.nextFile;
    }
    const [file] = asked.path === undefined ? [] : whole.files;
    for (let offset = file?.nextOffset ?? null; file !== undefined && offset !== null; ) {
      const page = await place.diffNode({ runId, ...asked, attempt: whole.attempt, offset });
      file.patch = `${file.patch ?? ""}${page.files[0]?.patch ?? ""}`;
      offset = page.files[0]?.nextOffset ?? null;
    }
    if (file !== undefined) file.nextOffset = null;
    return { ...whole, nextFile: null };
  });
  return { json: found, text: (colors) => nodeDiffText(found, colors) };
}

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
