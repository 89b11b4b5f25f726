import type { RunEventType, StoredEvent } from "../../model/events.js";
import { defineCommand } from "../command.js";
import { SIGNAL_EXIT } from "../exit-codes.js";
import { eventTypeList } from "../input/event-types.js";
import { positiveInteger, wholeNumber } from "../input/option-values.js";
import { eventText } from "../output/event-text.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { clockText } from "../output/times.js";
import { createCommandText } from "../runs/command-text.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { runArgument } from "../runs/with-run.js";
import { openNamed } from "../source/open-place.js";

interface EventsOptions {
  type?: RunEventType[];
  node?: string;
  after?: number;
  limit?: number;
  follow?: boolean;
}

export const events = defineCommand<EventsOptions>({
  examples: [
    { command: "treadle events latest --follow", meaning: "events as they come, until the run ends" },
    { command: "treadle events k3j2 --type NodeFailed", meaning: "every failed attempt" },
    { command: "treadle events k3j2 --json --limit 100", meaning: "one JSON document per line" },
  ],
  streams: true,
  gateway: "asked",
  configure(command) {
    command
      .addArgument(runArgument())
      .option(
        "-t, --type <list>",
        "event types, comma-separated; Node stands for all that start so",
        eventTypeList,
      )
      .option("-n, --node <id>", "only events of this task")
      .option("--after <seq>", "only events after this number", wholeNumber("--after"))
      .option(
        "-l, --limit <n>",
        "events at most (default: 1000; with --follow none)",
        positiveInteger("--limit"),
      )
      .option("-f, --follow", "wait for more until the run ends; Ctrl-C stops watching, not the run");
  },
  async run(call) {
    const { terminal, options, documents } = call;
    const { place, run } = await openNamed(call);
    const { type, node, after, follow = false } = options;
    const interrupts = watchInterrupts();
    const startMs = run.startedAtMs ?? run.createdAtMs;
    const chosen = {
      ...(type !== undefined && { types: type }),
      ...(node !== undefined && { nodeId: node }),
    };
    const limit = options.limit ?? (follow ? Number.MAX_SAFE_INTEGER : 1_000);
    const commandText = createCommandText(call);
    const stream = place.follow({
      runId: run.runId,
      ...chosen,
      ...(after !== undefined && { afterSeq: after }),
      follow,
      limit,
      signal: interrupts.signal,
    });
    let shown = 0;
    let last = after ?? -1;
    for await (const stored of stream) {
      const { seq, event } = stored;
      shown += 1;
      last = seq;
      terminal.out.line(documents?.streamed({ seq, ...event }) ?? eventLine(stored, startMs));
      if (!terminal.out.isOpen) break;
    }
    if (shown === limit) {
      const rest = { runId: run.runId, ...chosen, afterSeq: last, follow: false, limit: 1 };
      const isCut = !(await place.follow(rest).next()).done;
      const more = treadleCommand("events", [run.runId], { type: type?.join(","), node, after: last });
      if (isCut) terminal.err.line(`… cut after ${shown} events; the next ones: ${commandText(more)}`);
    }
    interrupts.dispose();
    const stopped = interrupts.received();
    return stopped === undefined ? 0 : SIGNAL_EXIT[stopped];
  },
});

function eventLine({ seq, event }: StoredEvent, startMs: number): string {
  return `${String(seq).padStart(5)} [+${clockText(event.timestampMs - startMs)}] ${eventText(event)}`;
}
