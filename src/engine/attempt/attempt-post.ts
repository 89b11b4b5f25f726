import type { TaskKey } from "../../model/address.js";
import { truncateUtf8, utf8Length } from "../../util/bounded-text.js";
import type { Awaitable } from "../../util/awaitable.js";
import { RUN_DEFAULTS } from "../../model/run-config.js";
import type { CrashTrigger } from "../crash-points.js";
import type { LeaseHold } from "../session/lease-hold.js";
import type { Mailbox } from "../session/mailbox.js";
import type { AttemptEventBody, AttemptLink, AttemptOutcome, AttemptReport } from "../ports.js";
import type { Message } from "../session/session.js";

/** Output of fewer bytes a line than this is cut by its lines. */
const SHORTEST_LINES = 20;

/** Characters of output that one event holds before the next one begins. */
const LARGEST_OUTPUT = 16_384;

export interface AttemptPostOptions {
  key: TaskKey;
  attempt: number;
  /** Output kept in the log, and apart from it what agents are heard saying; bytes. @default 200000 */
  maxOutputBytes: number | undefined;
  /** Kills the process in tests. */
  crash: CrashTrigger | undefined;
  hold: Pick<LeaseHold, "confirm">;
  /** Called when the attempt's code ends the process. */
  onExit(code: number): void;
}

/** The part of a run's mailbox that its attempts need. */
export type AttemptMailbox = Pick<Mailbox<Message>, "turn" | "post" | "postLazily" | "postAlong">;

type OutputEvent = Extract<AttemptEventBody, { type: "NodeOutput" }>;

/**
 * Takes an attempt's reports to the mailbox of its run.
 *
 * Invariants: what is printed between two turns reaches the log as few events;
 * signs of life between two turns are one message; the log keeps at most
 * `maxOutputBytes` of output and a line for each 20 of them, and one note that
 * says so.
 */
export class AttemptPost implements AttemptLink {
  readonly #mailbox: AttemptMailbox;
  readonly #options: AttemptPostOptions;
  readonly #maxBytes: number;
  readonly #maxLines: number;
  /** Turn of the mailbox in which the two below were posted; they can be added to until it is over. */
  #turn = -1;
  #output: OutputEvent | null = null;
  #beats = false;
  #printed = 0;
  #lines = 0;
  #said = 0;
  #noted = false;

  constructor(mailbox: AttemptMailbox, options: AttemptPostOptions) {
    this.#mailbox = mailbox;
    this.#options = options;
    this.#maxBytes = options.maxOutputBytes ?? RUN_DEFAULTS.maxOutputBytes;
    this.#maxLines = Math.ceil(this.#maxBytes / SHORTEST_LINES);
  }

  report(report: AttemptReport): void {
    switch (report.type) {
      case "completed":
        return this.#completed(report.outcome);
      case "heartbeat":
        return this.#heartbeat(report.json);
      case "event":
        return this.#event(report.body);
      case "effect":
        return this.#mailbox.post({ type: "effect", effect: report.effect });
      case "asked":
        return this.#mailbox.postAlong({ type: "asked", question: report.question });
      case "placed": {
        const { key, attempt } = this.#options;
        return this.#mailbox.postLazily({ type: "placed", key, attempt, at: report.at });
      }
      case "taken":
        return this.#mailbox.postLazily({ type: "taken", taken: report.taken });
      case "exiting":
        return this.#options.onExit(report.code);
      default:
        report satisfies never;
    }
  }

  whenKept(): Promise<void> {
    return new Promise((onKept) => this.#mailbox.post({ type: "keep", onKept }));
  }

  mayBegin(): Awaitable<boolean> {
    return this.#options.hold.confirm();
  }

  #completed(outcome: AttemptOutcome): void {
    const { key, attempt, crash } = this.#options;
    crash?.("attempt-completed");
    this.#mailbox.post({ type: "completed", key, attempt, outcome });
  }

  #heartbeat(json: string | undefined): void {
    this.#followTurn();
    if (json === undefined && this.#beats) return;
    this.#beats = true;
    const { key, attempt } = this.#options;
    this.#mailbox.postLazily({ type: "heartbeat", key, attempt, json });
  }

  #event(body: AttemptEventBody): void {
    this.#followTurn();
    if (body.type === "NodeOutput") this.#print(body);
    else if (isSaying(body)) this.#say(body);
    else this.#post(body);
  }

  #print(body: OutputEvent): void {
    const room = this.#maxBytes - this.#printed;
    const size = utf8Length(body.text);
    this.#printed += size;
    const fitting = size > room ? truncateUtf8(body.text, Math.max(0, room)).text : body.text;
    const end = endOfLines(fitting, this.#maxLines - this.#lines);
    this.#lines += end.lines;
    this.#append({ ...body, text: fitting.slice(0, end.index) });
    if (end.index < fitting.length) this.#noteCut(body, `${this.#maxLines} lines`);
    else if (size > room) this.#noteCut(body, `${this.#maxBytes} bytes`);
  }

  #append(body: OutputEvent): void {
    if (body.text === "") return;
    const last = this.#output;
    const isMore = last?.stream === body.stream && last.source === body.source;
    if (isMore && last.text.length + body.text.length <= LARGEST_OUTPUT) {
      last.text += body.text;
      return;
    }
    const output = { ...body };
    this.#post(output);
    this.#output = output;
  }

  #say(body: AgentEvent): void {
    this.#said += utf8Length(JSON.stringify(body.event));
    if (this.#said <= this.#maxBytes) this.#post(body);
    else this.#noteCut(body, `${this.#maxBytes} bytes`);
  }

  #noteCut({ nodeId, iteration, attempt }: OutputEvent | AgentEvent, limit: string): void {
    if (this.#noted) return;
    this.#noted = true;
    const text = `\n[output truncated: the limit is ${limit}]\n`;
    this.#post({ type: "NodeOutput", nodeId, iteration, attempt, text, stream: "stderr" });
  }

  #post(body: AttemptEventBody): void {
    this.#output = null;
    this.#mailbox.postLazily({ type: "attempt-event", body });
  }

  #followTurn(): void {
    if (this.#turn === this.#mailbox.turn) return;
    this.#turn = this.#mailbox.turn;
    this.#output = null;
    this.#beats = false;
  }
}

type AgentEvent = Extract<AttemptEventBody, { type: "AgentEvent" }>;

/** Where the first `most` lines of a text end, and how many of them there are. */
function endOfLines(text: string, most: number): { index: number; lines: number } {
  let index = 0;
  for (let lines = 0; lines < most; lines += 1) {
    const newline = text.indexOf("\n", index);
    if (newline < 0) return { index: text.length, lines };
    index = newline + 1;
  }
  return { index, lines: most };
}

/** Texts and progress are what an agent can have any amount of; the steps it takes are always kept. */
function isSaying(body: AttemptEventBody): body is AgentEvent {
  if (body.type !== "AgentEvent") return false;
  const { entryType, phase } = body.event as { entryType?: unknown; phase?: unknown };
  return entryType !== undefined || phase === "updated";
}
