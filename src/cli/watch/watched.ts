import { setTimeout as sleep } from "node:timers/promises";
import { ServiceError } from "../../errors/service-error.js";
import type { CommandCall } from "../command.js";
import { EXIT, SIGNAL_EXIT } from "../exit-codes.js";
import type { Report } from "../report.js";
import { watchInterrupts } from "../runs/interrupts.js";
import { checkWatchFlags, type WatchFlags } from "./watch-flags.js";

const INTERVAL_MS = 2_000;

/** Errors of a gateway that is not there for a while. */
const AWAY = ["CLIENT_CONNECTION_FAILED", "CLIENT_TIMEOUT"];

/**
 * The report of a command: once, or with `--watch` again and again until Ctrl-C. A picture is redrawn on a
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
  let isSeen = false;
  let isAway = false;
  const rest = () =>
    sleep(options.interval ?? INTERVAL_MS, undefined, { signal: interrupts.signal }).catch(() => {});
  while (!interrupts.signal.aborted && out.isOpen && exitCode === EXIT.ok) {
    const report: Report | undefined = await look().catch((error: unknown) => {
      // A gateway that is started anew is one that comes back; one that never was there is a wrong address.
      if (!isSeen || !AWAY.some((code) => ServiceError.is(error, code))) throw error;
      return undefined;
    });
    if (report === undefined) {
      if (!isAway)
        err.line(`${err.colors.yellow("!")} The gateway does not answer; what is shown grows old.`);
      isAway = true;
      await rest();
      continue;
    }
    if (isAway) err.line("The gateway answers again.");
    isAway = false;
    isSeen = true;
    if (documents !== undefined) out.line(documents.streamed(report.json));
    else if (out.isTty) {
      const lines = report
        .text(out.colors, out.tableWidth)
        .split("\n")
        .slice(0, Math.max(3, out.rows - 1));
      out.redraw(lines);
    } else out.line(`${report.text(out.colors, out.tableWidth)}\n`);
    exitCode = report.exitCode ?? EXIT.ok;
    if (exitCode === EXIT.ok) await rest();
  }
  interrupts.dispose();
  out.keepPicture();
  const stopped = interrupts.received();
  if (stopped === undefined) return exitCode;
  err.line("Stopped watching; no run was touched.");
  return SIGNAL_EXIT[stopped];
}
