/** @jsxImportSource react */
import { useState } from "react";
import { useClient, useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Fact, Facts } from "../parts/Facts.js";
import { Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { type ArrivalFilter, arrivalsOf, type Webhook } from "./arrivals.js";
import { ArrivalLine } from "./ArrivalLine.js";

/** Lines at first, and each time that more are asked for. */
const PAGE = 25;
const MOST = 500;

/** One webhook: how it is called, and what came. */
export function WebhookCard({ webhook, filter }: { webhook: Webhook; filter: ArrivalFilter }) {
  const client = useClient();
  const [limit, setLimit] = useState(PAGE);
  const { workflowKey, path, signatureHeader, signaturePrefix, deliveryIdHeaders, signal, startsRuns } =
    webhook;
  const { data, ...reading } = useMethod("webhookDeliveries", { workflow: workflowKey, limit });
  const arrivals = data === undefined ? [] : arrivalsOf(data, filter);
  const hasMore = data !== undefined && Math.max(data.deliveries.length, data.refused.length) === limit;
  const url = client.url.replace(/\/$/, "") + path;
  return (
    <li className="card">
      <h2>
        <Link to={places.workflow(workflowKey)}>{shown(workflowKey)}</Link>
      </h2>
      <Facts>
        <Fact name="Address">
          <code className="breaks">POST {shown(url)}</code>
          <CopyButton text={url} what={`the address of ${workflowKey}`} />
        </Fact>
        <Fact name="Signature">
          <code>
            {shown(signatureHeader)}: {shown(signaturePrefix)}…
          </code>
        </Fact>
        <Fact name="Known by">
          {deliveryIdHeaders.length === 0 ? "its body" : <code>{shown(deliveryIdHeaders.join(", "))}</code>}
        </Fact>
        <Fact name="Does">{doing(signal, startsRuns)}</Fact>
      </Facts>
      <Reading {...reading} />
      {data !== undefined && arrivals.length === 0 && (
        <p className="hint">
          {filter === "all" ? "Nothing has come yet." : "Nothing of this kind has come."}
        </p>
      )}
      {arrivals.length > 0 && (
        <table className="table lines">
          <thead>
            <tr>
              <th>When</th>
              <th>Result</th>
              <th>Delivery</th>
              <th>What came of it</th>
              <th>
                <span className="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {arrivals.map((arrival) => (
              <ArrivalLine key={arrival.key} workflowKey={workflowKey} arrival={arrival} />
            ))}
          </tbody>
        </table>
      )}
      {hasMore && limit < MOST && (
        <p>
          <button type="button" className="plain" onClick={() => setLimit(Math.min(MOST, 4 * limit))}>
            Show more
          </button>
        </p>
      )}
    </li>
  );
}

function doing(signal: string | null, startsRuns: boolean): string {
  if (signal === null) return startsRuns ? "starts a run" : "nothing: it is switched off";
  const delivers = `delivers the signal ${shown(signal)}`;
  return startsRuns ? `${delivers}, or starts a run where none waits` : delivers;
}
