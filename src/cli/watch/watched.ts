import { setTimeout as sleep } from "node:timers/promises";
import type { CommandCall } from "../command.js";
import { EXIT, SIGNAL_EXIT } from "../exit-codes.js";
import type { Report } from "../report.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { checkWatchFlags, type WatchFlags } from "./watch-flags.js";

const INTERVAL_MS = 2_000;

/**
 * What a command has to say: once, or with `--watch` again and again until Ctrl-C. A picture is redrawn on a
 * terminal, elsewhere one look comes after the other.
 * @param look is made anew each time: a database that was moved or replaced meanwhile is another one
 */
export async function watched(
  call: CommandCall<WatchFlags>,
  look: () => Promise<Report>,
): Promise<Report | number> {
  checkWatchFlags(call.options);
  return call.options.watch === true ? watch(call, look) : look();
}

async function watch(
  { terminal, options, documents }: CommandCall<WatchFlags>,
  look: () => Promise<Report>,
): Promise<number> {
  const { out, err } = terminal;
  const interrupts = watchInterrupts();
  let exitCode: number = EXIT.ok;
  while (!interrupts.signal.aborted && out.isOpen && exitCode === EXIT.ok) {
    const report = await look();
    if (documents !== undefined) out.line(documents.streamed(report.json));
    else if (out.isTty) {
      const lines = report
        .text(out.colors)
        .split("\n")
        .slice(0, Math.max(3, out.rows - 1));
      out.redraw(lines);
    } else out.line(`${report.text(out.colors)}\n`);
    exitCode = report.exitCode ?? EXIT.ok;
    if (exitCode === EXIT.ok) {
      await sleep(options.interval ?? INTERVAL_MS, undefined, { signal: interrupts.signal }).catch(() => {});
    }
  }
  interrupts.dispose();
  out.keepPicture();
  const stopped = interrupts.received();
  if (stopped === undefined) return exitCode;
  err.line("Stopped watching; no run was touched.");
  return SIGNAL_EXIT[stopped];
}
