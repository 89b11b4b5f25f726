/** @jsxImportSource react */
import { useState } from "react";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { ActionButton } from "../parts/ActionButton.js";
import { Moment } from "../parts/Moment.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";
import { type Arrival, type Delivery, reasonOf, type Refusal } from "./arrivals.js";
import { ReplayDialog } from "./ReplayDialog.js";

/** A delivery, or requests that were refused. */
export function ArrivalLine({ workflowKey, arrival }: { workflowKey: string; arrival: Arrival }) {
  if (arrival.kind === "refusal") return <RefusalLine refusal={arrival.refusal} />;
  return <DeliveryLine workflowKey={workflowKey} delivery={arrival.delivery} />;
}

function RefusalLine({ refusal }: { refusal: Refusal }) {
  const { code, message, requests, refusedAtMs, isSigned } = refusal;
  return (
    <tr>
      <td className="cell-time">
        <Moment at={refusedAtMs} />
      </td>
      <td>
        <State state="refused" /> <span className="hint">{reasonOf(code)}</span>
      </td>
      <td>
        {requests === 1 ? "1 request" : `${requests.toLocaleString()} requests in a minute`}
        <span className="hint">{isSigned ? "" : ", not verified"}</span>
      </td>
      <td>
        <span className="hint">
          <code>{shown(code)}</code> {shownShort(message, 200)}
        </span>
      </td>
      <td className="end hint">{isSigned ? "" : "nothing of it is kept"}</td>
    </tr>
  );
}

function DeliveryLine({ workflowKey, delivery }: { workflowKey: string; delivery: Delivery }) {
  const [isAsked, setAsked] = useState(false);
  const { state, receivedAtMs, deliveryId, deliveryKey, knownBy, repeats, replayOf, replayedBy, hasBody } =
    delivery;
  return (
    <tr>
      <td className="cell-time">
        <Moment at={receivedAtMs} />
      </td>
      <td>
        <State state={STATES[state]} />{" "}
        <span className="hint">
          {state === "failed" && reasonOf(delivery.error?.code)}
          {repeats > 0 && ` ${repeats.toLocaleString()} duplicate${repeats === 1 ? "" : "s"}`}
        </span>
      </td>
      <td>
        <code className="breaks" title={shown(deliveryId)}>
          {shownShort(deliveryId, knownBy === "id" ? 40 : 12)}
        </code>
        <span className="hint block">
          {replayOf !== null && `replay of ${shownShort(replayOf, 40)}`}
          {replayOf === null && knownBy === "body" && "known by its body"}
          {replayedBy !== null && ` by ${shownShort(replayedBy, 40)}`}
        </span>
      </td>
      <td>
        <Outcome delivery={delivery} />
      </td>
      <td className="end">
        <ActionButton
          method="webhookReplay"
          icon="retry"
          look="plain"
          isDisabled={!hasBody}
          onClick={() => setAsked(true)}
        >
          {hasBody ? "Replay…" : "Body not kept"}
        </ActionButton>
        {isAsked && (
          <ReplayDialog
            workflowKey={workflowKey}
            deliveryKey={deliveryKey}
            isTriedAgain={state !== "done"}
            onClose={() => setAsked(false)}
          />
        )}
      </td>
    </tr>
  );
}

const STATES = { received: "being-done", done: "accepted", failed: "refused" } as const;

function Outcome({ delivery: { result, error } }: { delivery: Delivery }) {
  if (error !== null) {
    return (
      <span className="hint">
        <code>{shown(error.code ?? "")}</code> {shownShort(error.message, 200)}
      </span>
    );
  }
  const { delivered, started } = result ?? { delivered: [], started: null };
  if (result !== null && delivered.length === 0 && started === null)
    return <span className="hint">nothing</span>;
  return (
    <ul>
      {delivered.map(({ runId, signal, correlationId }) => (
        <li key={runId}>
          <code>{shownShort(signal, 40)}</code>
          {correlationId !== null && <span className="hint"> ({shownShort(correlationId, 40)})</span>} to{" "}
          <Link to={places.run(runId)}>{shownShort(runId, 40)}</Link>
        </li>
      ))}
      {started !== null && (
        <li>
          started <Link to={places.run(started.runId)}>{shownShort(started.runId, 60)}</Link>
        </li>
      )}
    </ul>
  );
}
