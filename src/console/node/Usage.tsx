/** @jsxImportSource react */
import { useMemo } from "react";
import type { RunEventType } from "../../model/events.js";
import { useMethod } from "../../react/index.js";
import { Icon } from "../parts/Icon.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { TokenTable } from "../parts/TokenTable.js";
import { shownShort } from "../parts/text.js";
import { type NodeAddress, useNodeLog } from "./use-node-log.js";

const TYPES: RunEventType[] = ["TokenUsageReported"];

/** Each call of a model for the task, as its agent has reported it, newest first. */
export function Usage(address: NodeAddress) {
  const { events, hasEarlier, readEarlier, isOver: _isOver, ...reading } = useNodeLog(address, TYPES);
  const task = useMethod("inspectTask", { ...address });
  const calls = useMemo(
    () =>
      events.flatMap(({ seq, event }) => (event.type === "TokenUsageReported" ? [{ seq, ...event }] : [])),
    [events],
  );
  return (
    <section className="log-pane" aria-label="Usage">
      <Reading {...reading} />
      {task.data !== undefined && task.data.usage.calls > 0 && <TokenTable usage={task.data.usage} />}
      {!reading.isLoading && calls.length === 0 && (
        <p className="hint pad">No call of a model has been reported.</p>
      )}
      {calls.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
        <section className="table-scroll" tabIndex={0} aria-label="Calls">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Attempt</th>
                <th scope="col">Model</th>
                <th scope="col">For</th>
                <th scope="col">Tokens in</th>
                <th scope="col">from cache</th>
                <th scope="col">Tokens out</th>
                <th scope="col">reasoning</th>
                <th scope="col">At</th>
              </tr>
            </thead>
            <tbody>
              {calls.toReversed().map((call) => (
                <tr key={call.seq}>
                  <td className="number">{call.attempt}</td>
                  <td>{shownShort(call.model, 60)}</td>
                  <td>
                    {call.scorerId === undefined
                      ? shownShort(call.agent, 60)
                      : `scorer ${shownShort(call.scorerId, 60)}`}
                  </td>
                  <td className="number">{call.inputTokens.toLocaleString()}</td>
                  <td className="number">{call.cacheReadTokens?.toLocaleString()}</td>
                  <td className="number">{call.outputTokens.toLocaleString()}</td>
                  <td className="number">{call.reasoningTokens?.toLocaleString()}</td>
                  <td>
                    <Moment at={call.timestampMs} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasEarlier && (
        <button type="button" className="button" onClick={readEarlier}>
          <Icon name="down" /> Read earlier calls
        </button>
      )}
    </section>
  );
}
