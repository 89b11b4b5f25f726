/** @jsxImportSource react */
import { useState } from "react";
import { useMethod } from "../../react/index.js";
import { Icon } from "../parts/Icon.js";
import { Json } from "../parts/Json.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";
import { ErrorCard } from "./ErrorCard.js";
import type { NodeAddress } from "./use-node-log.js";

/** A score carries the texts that were judged: a few of them are much. */
const PAGE = 20;

/** Scores of the task's rows, page by page, each with what the scorer has said. */
export function Scores(address: NodeAddress) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const { data, ...reading } = useMethod("listScores", {
    ...address,
    limit: PAGE,
    ...(cursor !== undefined && { cursor }),
  });
  if (data === undefined) return <Reading {...reading} />;
  const { scores, nextCursor } = data;
  return (
    <section className="log-pane" aria-label="Scores">
      {scores.length === 0 && <p className="hint pad">Nothing has scored this task.</p>}
      <ol className="attempts">
        {scores.map(({ id, scorerName, state, score, attempt, reason, error, metaJson, scoredAtMs }) => (
          <li key={id}>
            <p className="attempt-head">
              <strong>{shownShort(scorerName, 120)}</strong>
              <span className="number">{score === null ? state : score.toFixed(3)}</span>
              <span className="hint">
                attempt {attempt}
                {scoredAtMs !== null && (
                  <>
                    , <Moment at={scoredAtMs} />
                  </>
                )}
              </span>
            </p>
            {reason !== null && (
              <p className="told-text" dir="auto">
                {shown(reason)}
              </p>
            )}
            {error !== null && <ErrorCard error={error} />}
            {metaJson !== null && (
              <details>
                <summary>Details</summary>
                <Json value={JSON.parse(metaJson)} name="the details" />
              </details>
            )}
          </li>
        ))}
      </ol>
      <div className="buttons">
        {cursors.length > 0 && (
          <button type="button" className="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            <Icon name="left" /> Earlier
          </button>
        )}
        {nextCursor !== null && (
          <button type="button" className="button" onClick={() => setCursors([...cursors, nextCursor])}>
            <Icon name="right" /> Later
          </button>
        )}
      </div>
    </section>
  );
}
