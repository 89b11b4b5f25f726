import type { NodeView, RunExplanation } from "../../operations/index.js";
import type { AttemptRow } from "../../model/node.js";
import { formatDuration } from "../../util/duration.js";
import { type CommandCall, defineCommand } from "../command.js";
import { ServiceError } from "../../errors/service-error.js";
import { positiveInteger, wholeNumber } from "../input/option-values.js";
import { serializedErrorLine, stackLines } from "../output/thrown-text.js";
import { factLine } from "../output/fact-line.js";
import { jsonText } from "../output/json-text.js";
import { questionText } from "../output/question-text.js";
import { nodeSign } from "../output/run-states.js";
import type { Colors } from "../output/styles.js";
import { agoText, forText, untilText } from "../output/times.js";
import { visibleLine } from "../output/visible-text.js";
import { runArgument } from "../runs/with-run.js";
import type { Report } from "../report.js";
import { withNamed } from "../source/open-place.js";
import { addWatchFlags, type WatchFlags } from "../watch/watch-flags.js";
import { watched } from "../watch/watched.js";

interface NodeOptions extends WatchFlags {
  iteration?: number;
  prompt?: boolean;
  attempt?: number;
  question?: number;
}

export const node = defineCommand<NodeOptions>({
  examples: [
    { command: "treadle node latest build", meaning: "state, attempts, errors and row of the task build" },
    { command: "treadle node latest build --json", meaning: "the same as data" },
    { command: "treadle node latest review --prompt", meaning: "what its agent was asked" },
  ],
  gateway: "asked",
  configure(command) {
    addWatchFlags(command.addArgument(runArgument()).argument("<node>", "id of the task"))
      .option("--iteration <n>", "loop iteration (default: the latest)", wholeNumber("--iteration"))
      .option("--prompt", "what its agent was asked, with all that was said before it")
      .option(
        "--attempt <n>",
        "with --prompt: of this attempt (default: the newest that asked)",
        positiveInteger("--attempt"),
      )
      .option(
        "--question <n>",
        "with --prompt: this question of the attempt, corrections count on (default: 1)",
        positiveInteger("--question"),
      );
  },
  run(call) {
    const { prompt = false, attempt, question } = call.options;
    if (!prompt && (attempt ?? question) !== undefined) {
      const option = attempt === undefined ? "--question" : "--attempt";
      throw new ServiceError("CLI_USAGE", `${option} goes with --prompt only.`, { details: { option } });
    }
    return watched(call, () => (prompt ? lookAtPrompt(call) : lookAt(call)));
  },
});

function lookAtPrompt(call: CommandCall<NodeOptions>): Promise<Report> {
  const { iteration, attempt, question } = call.options;
  const nodeId = call.args[1] as string;
  return withNamed(call, async ({ place, run: { runId } }) => {
    const view = await place.getPrompt({
      runId,
      nodeId,
      ...(iteration !== undefined && { iteration }),
      ...(attempt !== undefined && { attempt }),
      ...(question !== undefined && { question }),
    });
    return { json: { runId, ...view }, text: (colors) => questionText(view, colors) };
  });
}

function lookAt(call: CommandCall<NodeOptions>): Promise<Report> {
  const { iteration } = call.options;
  const nodeId = call.args[1] as string;
  return withNamed(call, async ({ place, run: { runId } }) => {
    const view = await place.getNode({ runId, nodeId, ...(iteration !== undefined && { iteration }) });
    // The stored row says nothing about the process that works on it.
    const driven = view.node.state === "in-progress" ? await place.explainRun({ runId }) : undefined;
    return { json: { runId, ...view }, text: (colors) => nodeText(view, { colors, driven }) };
  });
}

function nodeText(
  { node, attempts, output }: NodeView,
  { colors, driven }: { colors: Colors; driven: RunExplanation | undefined },
): string {
  const now = Date.now();
  const lines = [`${nodeSign(node.state, colors)} ${colors.bold(visibleLine(node.nodeId))} ${node.state}`];
  const fact = (name: string, value: string | null) => {
    if (value !== null && value !== "") lines.push(factLine(name, value, colors));
  };
  if (node.label !== null) fact("label", node.label);
  if (node.loopId !== null) fact("iteration", `${node.iteration} of loop ${node.loopId}`);
  if (node.waitingSinceMs !== null && node.state.startsWith("waiting-"))
    fact("waiting", forText(node.waitingSinceMs, now));
  if (driven !== undefined && driven.runState !== "running") {
    const beat = agoText(driven.lastHeartbeatAtMs, now);
    fact(
      "run",
      `${driven.runState}: no process works on it${beat === "" ? "" : `, the last heartbeat was ${beat}`}`,
    );
  }
  if (node.dueAtMs !== null) fact("due", untilText(node.dueAtMs, now));
  if (attempts.length > 0) lines.push("", colors.dim("Attempts"));
  const isLost = driven !== undefined && driven.runState !== "running";
  // The attempt ended with its process.
  const untilMs = isLost ? (driven.lastHeartbeatAtMs ?? now) : now;
  for (const attempt of attempts) lines.push(`  ${attemptText(attempt, { colors, now, untilMs })}`);
  if (output !== undefined) lines.push("", colors.dim("Output"), jsonText(output));
  return lines.join("\n");
}

function attemptText(
  attempt: AttemptRow,
  { colors, now, untilMs }: { colors: Colors; now: number; untilMs: number },
): string {
  const took = formatDuration(Math.max(0, (attempt.finishedAtMs ?? untilMs) - attempt.startedAtMs));
  const { agentId, agentModel, outputMode } = attempt.meta ?? {};
  const facts = [
    took,
    agoText(attempt.startedAtMs, now),
    agentId,
    agentModel,
    outputMode,
    attempt.cached && "cached",
  ];
  const line = `${attempt.attempt}. ${attempt.state} ${colors.dim(visibleLine(facts.filter(Boolean).join(", ")))}`;
  if (attempt.error === null) return line;
  const stack = stackLines(attempt.error).map((frame) => `       ${colors.dim(frame)}`);
  return [line, `     ${colors.red(serializedErrorLine(attempt.error))}`, ...stack].join("\n");
}
