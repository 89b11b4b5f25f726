import { setImmediate as turnOfLoop } from "node:timers/promises";
import type {
  AttemptHandle,
  AttemptJob,
  AttemptLink,
  MountedRun,
  ScoreJob,
  ScoreOutcome,
  TaskDispatcher,
} from "../../../src/engine/ports.js";

/** Sends jobs, reports and orders as JSON text, as to another machine: each arrives in a later turn of the event loop. */
export class JsonDispatcher implements TaskDispatcher {
  readonly #inner: TaskDispatcher;

  constructor(inner: TaskDispatcher) {
    this.#inner = inner;
  }

  dispatch(job: AttemptJob, link: AttemptLink, run: MountedRun): AttemptHandle {
    const handle = this.#inner.dispatch(sent(job), linkBy(link), run);
    return {
      abort(reason) {
        const received = sent(reason);
        setImmediate(() => handle.abort(received));
      },
      handOver: () => void setImmediate(() => handle.handOver()),
    };
  }

  score(job: ScoreJob): Promise<ScoreOutcome> {
    return this.#inner.score(job);
  }
}

function linkBy(link: AttemptLink): AttemptLink {
  return {
    report(report) {
      const received = sent(report);
      // The last words of this very process.
      if (received.type === "exiting") link.report(received);
      else setImmediate(() => link.report(received));
    },
    async whenKept() {
      // Behind the reports before it.
      await turnOfLoop();
      await link.whenKept();
      await turnOfLoop();
    },
    async mayBegin() {
      await turnOfLoop();
      const answer = await link.mayBegin();
      await turnOfLoop();
      return answer;
    },
  };
}

function sent<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T;
}
