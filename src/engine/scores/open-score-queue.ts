import type { RunConfig } from "../../model/run-config.js";
import type { EngineServices } from "../ports.js";
import type { Mailbox } from "../session/mailbox.js";
import type { Message, RunSession } from "../session/session.js";
import { codeFiles } from "../view/code-files.js";
import { ScoreQueue } from "./score-queue.js";

/** The queue of a session that is being built; what happens there arrives in its mailbox. */
export function openScoreQueue(
  { clock, dispatcher }: EngineServices,
  config: RunConfig,
  about: { sessionOf(): RunSession; mailbox: Mailbox<Message> },
): ScoreQueue {
  const { sessionOf, mailbox } = about;
  return new ScoreQueue({
    clock,
    limitMs: config.scorerTimeoutMs,
    ask(score, signal) {
      const session = sessionOf();
      const { runId, ownerId, hold } = session;
      const { nodeId, iteration, attempt, scorerId } = score.row;
      return dispatcher.score({
        score,
        signal,
        runId,
        config,
        ownerId,
        modules: codeFiles(session),
        scores: (ofNode) => session.mounted.scores(score.row, ofNode),
        failure: (ofNode) => session.mounted.failure(score.row, ofNode),
        onEvent: (body) => mailbox.postLazily({ type: "attempt-event", body }),
        onUsage(said) {
          const usage = { ...said, runId, nodeId, iteration, attempt, scorerId, atMs: clock.now() };
          mailbox.postLazily({ type: "scorer-usage", usage });
        },
        mayBegin: () => hold.confirm(),
      });
    },
    onStarted({ row: { nodeId, iteration, attempt, scorerId, scorerName } }) {
      const body = { type: "ScorerStarted", nodeId, iteration, attempt, scorerId, scorerName } as const;
      mailbox.postLazily({ type: "event", body });
    },
    onEnded: (score, outcome) => mailbox.post({ type: "scored", score, outcome }),
  });
}
