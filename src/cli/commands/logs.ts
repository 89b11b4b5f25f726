import type { RunEvent } from "../../model/events.js";
import { defineCommand } from "../command.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { positiveInteger } from "../input/option-values.js";
import { logText } from "../output/log-text.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { clockText } from "../output/times.js";
import { createCommandText } from "../runs/command-text.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface LogsOptions {
  node?: string;
  tail?: number;
  follow?: boolean;
}

const LOGGED: RunEvent["type"][] = [
  "NodeOutput",
  "AgentEvent",
  "ToolCallStarted",
  "ToolCallFinished",
  "NodeFailed",
];

export const logs = defineCommand<LogsOptions>({
  examples: [
    { command: "treadle logs latest --follow", meaning: "output as it comes" },
    { command: "treadle logs k3j2 --node review --tail 50", meaning: "the last lines of one task" },
  ],
  streams: true,
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .option("-n, --node <id>", "only this task")
      .option("--tail <n>", "start with the last n entries (default: all)", positiveInteger("--tail"))
      .option("-f, --follow", "wait for more until the run ends; Ctrl-C stops watching, not the run");
  },
  async run(call) {
    const { terminal, options, documents } = call;
    const { place, run } = await openNamed(call);
    const { node, tail, follow = false } = options;
    const filter = { types: LOGGED, ...(node !== undefined && { nodeId: node }) };
    const newest =
      tail === undefined
        ? []
        : await place.events({ runId: run.runId, ...filter, limit: tail, descending: true });
    const first = newest.at(-1);
    const commandText = createCommandText(call);
    const interrupts = watchInterrupts();
    const stream = place.follow({
      runId: run.runId,
      ...filter,
      ...(first !== undefined && { afterSeq: first.seq - 1 }),
      follow,
      signal: interrupts.signal,
    });
    const startMs = run.startedAtMs ?? run.createdAtMs;
    const [oldest] = first === undefined ? [] : await place.events({ runId: run.runId, ...filter, limit: 1 });
    if (first !== undefined && oldest !== undefined && oldest.seq < first.seq) {
      const all = treadleCommand("logs", [run.runId], { node });
      terminal.err.line(`… cut: only the last ${newest.length} entries; all of them: ${commandText(all)}`);
    }
    for await (const { seq, event } of stream) {
      if (documents !== undefined) terminal.out.line(documents.streamed({ seq, ...event }));
      else {
        const text = logText(event);
        if (text !== "") terminal.out.line(`[+${clockText(event.timestampMs - startMs)}] ${text}`);
      }
      if (!terminal.out.isOpen) break;
    }
    interrupts.dispose();
    const stopped = interrupts.received();
    return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
  },
});
