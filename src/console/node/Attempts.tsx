/** @jsxImportSource react */
import { useState } from "react";
import type { AttemptRow } from "../../model/node.js";
import { failureFingerprint } from "../../scheduler/index.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { State } from "../parts/State.js";
import { shownShort } from "../parts/text.js";
import { AttemptComparison } from "./AttemptComparison.js";
import { ErrorCard } from "./ErrorCard.js";

/** Every try of the task, newest first; two of them can be compared. */
export function Attempts({ attempts }: { attempts: readonly AttemptRow[] }) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  if (attempts.length === 0) return <p className="hint pad">It has not been tried yet.</p>;
  const choose = (attempt: number) =>
    setChosen((before) =>
      before.includes(attempt) ? before.filter((one) => one !== attempt) : [...before, attempt].slice(-2),
    );
  const [first, second] = chosen
    .toSorted((a, b) => a - b)
    .flatMap((no) => attempts.filter(({ attempt }) => attempt === no));
  return (
    <>
      {attempts.length > 1 && (
        <p className="hint pad" role="status">
          {second === undefined ? "Choose two attempts to compare them." : ""}
        </p>
      )}
      {first !== undefined && second !== undefined && <AttemptComparison first={first} second={second} />}
      <ol className="attempts" reversed>
        {attempts.toReversed().map(({ attempt, state, startedAtMs, finishedAtMs, error, cached }) => (
          <li key={attempt}>
            <p className="attempt-head">
              {attempts.length > 1 && (
                <input
                  type="checkbox"
                  aria-label={`Compare attempt ${attempt}`}
                  checked={chosen.includes(attempt)}
                  onChange={() => choose(attempt)}
                />
              )}
              <strong>Attempt {attempt}</strong> <State state={state} />
              {cached && <span className="hint">from the cache</span>}
              <span className="hint">
                <Moment at={startedAtMs} />, <Since at={startedAtMs} until={finishedAtMs} />
              </span>
            </p>
            {error !== null && (
              <>
                <ErrorCard error={error} />
                <p className="hint">
                  Counts as the same failure as <code>{shownShort(failureFingerprint(error), 160)}</code>
                </p>
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
