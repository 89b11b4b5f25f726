import type { TaskKey } from "../../model/address.js";
import { recordExit } from "../session/record-exit.js";
import type { RunSession } from "../session/session.js";
import { AttemptPost, type AttemptMailbox } from "./attempt-post.js";

/** Takes what an attempt reports to the run. */
export function postOf(
  session: RunSession,
  { key, attempt }: { key: TaskKey; attempt: number },
  mailbox: AttemptMailbox = session.mailbox,
): AttemptPost {
  const { services, hold, config } = session;
  return new AttemptPost(mailbox, {
    key,
    attempt,
    hold,
    maxOutputBytes: config.maxOutputBytes,
    crash: services.crash,
    onExit: (code) => recordExit(session, { key, attempt, code }),
  });
}
