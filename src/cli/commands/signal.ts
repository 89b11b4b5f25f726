import { shownState } from "../../operations/index.js";
import { defineCommand } from "../command.js";
import { readJsonArgument } from "../input/json-argument.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { createCommandText } from "../runs/command-text.js";
import { followUpOf } from "../runs/follow-up.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface SignalOptions {
  data?: string;
  correlation?: string;
  dryRun?: boolean;
}

export const signal = defineCommand<SignalOptions>({
  examples: [
    { command: "treadle signal latest payment", meaning: "send the signal payment without data" },
    {
      command: `treadle signal k3j2 payment --data '{"amount":3}'`,
      meaning: "with data for the task that waits",
    },
    {
      command: "treadle signal k3j2 payment --correlation order-7 --data @paid.json",
      meaning: "to one of several",
    },
  ],
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .argument("<name>", "name of the signal: a Signal's id, or a WaitForEvent's event")
      .option("-d, --data <json>", "data as JSON, @file or - for standard input (default: {})")
      .option("--correlation <id>", "correlation id; must equal the waiter's")
      .option("--dry-run", "only check whether it could be sent");
  },
  async run(call) {
    const { terminal, options } = call;
    const { data, correlation, dryRun = false } = options;
    const given =
      data === undefined ? undefined : await readJsonArgument({ option: "--data", value: data }, terminal);
    const { place, run } = await openNamed(call, { readOnly: dryRun });
    const request = {
      runId: run.runId,
      signal: call.args[1] as string,
      ...(given !== undefined && { data: given }),
      ...(correlation !== undefined && { correlationId: correlation }),
    };
    const sent = await place.submitSignal({ ...request, dryRun });
    if (dryRun) {
      const { signalSeq: _unsent, ...checked } = sent;
      return {
        json: { dryRun, ...checked, data: given ?? {} },
        text: () => `Would send ${sent.signal} to run ${sent.runId} (${shownState(run)}).`,
      };
    }
    const commandText = createCommandText(call);
    const commandFor = (runId: string) =>
      commandText(treadleCommand("signal", [runId, sent.signal], { correlation, data }));
    const named = correlation === undefined ? "without a correlation id" : "with this correlation id";
    const early = `Nothing waits for a signal of this name ${named} yet: it is kept. ${commandText(treadleCommand("why", [sent.runId]))} tells what the run waits for.`;
    const next = await followUpOf(call, place, run.runId);
    return {
      json: { ...sent, ...next.json },
      text: (colors) =>
        [
          `${colors.green("✓")} sent ${sent.signal} to run ${sent.runId}`,
          ...(sent.awaitedBy ?? []).map(
            (child) => `  Only its child run waits for it: ${colors.cyan(commandFor(child))}`,
          ),
          ...(sent.isEarly === true ? [`  ${early}`] : []),
          next.text(colors),
        ].join("\n"),
    };
  },
});
