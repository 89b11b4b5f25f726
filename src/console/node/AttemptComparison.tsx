/** @jsxImportSource react */
import type { ReactNode } from "react";
import type { AttemptRow } from "../../model/node.js";
import { failureFingerprint } from "../../scheduler/index.js";
import { Moment } from "../parts/Moment.js";
import { Since } from "../parts/Since.js";
import { State } from "../parts/State.js";
import { shownShort } from "../parts/text.js";

interface AttemptComparisonProps {
  first: AttemptRow;
  second: AttemptRow;
}

/** Two attempts side by side; what differs is marked by a word, too. */
export function AttemptComparison({ first, second }: AttemptComparisonProps) {
  const facts = factsOf(first).map(([name, value, key], index) => {
    const other = factsOf(second)[index] as Compared;
    return { name, value, other: other[1], differs: key !== other[2] };
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section className="table-scroll pad" tabIndex={0} aria-label="Comparison of two attempts">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">What</span>
            </th>
            <th scope="col">Attempt {first.attempt}</th>
            <th scope="col">Attempt {second.attempt}</th>
          </tr>
        </thead>
        <tbody>
          {facts.map(({ name, value, other, differs }) => (
            <tr key={name}>
              <th scope="row">
                {name} {differs && <span className="hint">differs</span>}
              </th>
              <td className="breaks">{value}</td>
              <td className="breaks">{other}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type Compared = readonly [name: string, shown: ReactNode, key: unknown];

function factsOf({ state, startedAtMs, finishedAtMs, error, cached, meta }: AttemptRow): Compared[] {
  const text = (name: string, value: unknown): Compared => [
    name,
    value === undefined || value === null ? "–" : shownShort(String(value), 600),
    value ?? null,
  ];
  return [
    ["State", <State key="state" state={state} />, state],
    ["Started", <Moment key="at" at={startedAtMs} />, null],
    ["Took", <Since key="took" at={startedAtMs} until={finishedAtMs} />, null],
    text("Agent", meta?.agentId),
    text("Model", meta?.agentModel),
    text("Structured output", meta?.outputMode),
    text("Corrections", meta?.schemaRetries),
    text("Session", meta?.sessionId),
    text("From the cache", cached ? "yes" : "no"),
    text("Cache key", meta?.cacheKey),
    text("Error", error?.message),
    text("Code", error?.code),
    text("Failure", error === null ? null : failureFingerprint(error)),
  ];
}
