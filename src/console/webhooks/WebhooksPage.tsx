/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { Link, useRouter } from "../frame/router.js";
import { places } from "../frame/places.js";
import { useScope } from "../frame/scope.js";
import { Reading } from "../parts/Reading.js";
import { ARRIVALS, type ArrivalFilter } from "./arrivals.js";
import { WebhookCard } from "./WebhookCard.js";

/** What other systems send to the workflows, what became of it, and what was refused. */
export default function WebhooksPage() {
  const { query } = useRouter();
  const { data, ...reading } = useMethod("webhookList", useScope());
  useRefusal(reading.error);
  const asked = query.get("show") ?? "all";
  const filter = asked in ARRIVALS ? (asked as ArrivalFilter) : "all";
  return (
    <>
      <div className="view-head">
        <h1>Webhooks</h1>
        <nav className="segments" aria-label="Deliveries">
          {(Object.keys(ARRIVALS) as ArrivalFilter[]).map((name) => (
            <Link
              key={name}
              to={places.webhooks(name === "all" ? {} : { show: name })}
              aria-current={name === filter ? "page" : undefined}
            >
              {ARRIVALS[name]}
            </Link>
          ))}
        </nav>
      </div>
      <Reading {...reading} />
      {data?.webhooks.length === 0 && (
        <div className="empty">
          <p>No workflow is registered with a webhook. In treadle.gateway.ts:</p>
          <p>
            <code className="breaks">
              {'gateway.register("deploy", workflow, { webhook: { secret, run: { enabled: true } } })'}
            </code>
          </p>
        </div>
      )}
      <ul className="stacked">
        {data?.webhooks.map((webhook) => (
          <WebhookCard key={webhook.workflowKey} webhook={webhook} filter={filter} />
        ))}
      </ul>
    </>
  );
}
