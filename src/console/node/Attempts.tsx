/** @jsxImportSource react */
import type { AttemptRow } from "../../model/node.js";
import { State } from "../parts/State.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { ErrorCard } from "./ErrorCard.js";

/** Every try of the task, newest first. */
export function Attempts({ attempts }: { attempts: readonly AttemptRow[] }) {
  if (attempts.length === 0) return <p className="hint pad">It has not been tried yet.</p>;
  return (
    <ol className="attempts" reversed>
      {attempts.toReversed().map(({ attempt, state, startedAtMs, finishedAtMs, error, cached }) => (
        <li key={attempt}>
          <p className="attempt-head">
            <strong>Attempt {attempt}</strong> <State state={state} />
            {cached && <span className="hint">from the cache</span>}
            <span className="hint">
              <Moment at={startedAtMs} />, <Since at={startedAtMs} until={finishedAtMs} />
            </span>
          </p>
          {error !== null && <ErrorCard error={error} />}
        </li>
      ))}
    </ol>
  );
}
