import type { DeliveryList } from "../../operations/index.js";
import { instantText } from "../../util/instant-text.js";
import type { Colors } from "./styles.js";
import { formatTable, oneLine } from "./table.js";

const LONGEST_REASON = 80;

/** What came to a webhook, newest first, and below it what was refused before it was kept. */
export function deliveryListText(
  { deliveries, refused }: DeliveryList,
  colors: Colors,
  width: number,
): string {
  if (deliveries.length + refused.length === 0) return "Nothing has come yet.";
  const came = deliveries.map((delivery) => [
    delivery.deliveryKey,
    instantText(delivery.receivedAtMs),
    delivery.state === "failed" ? colors.red(delivery.state) : delivery.state,
    outcomeOf(delivery),
  ]);
  const sent = refused.map(({ code, refusedAtMs, requests, message }) => [
    colors.red(code),
    instantText(refusedAtMs),
    String(requests),
    oneLine(message, LONGEST_REASON),
  ]);
  return [
    ...(came.length === 0
      ? []
      : [
          formatTable(["DELIVERY", "CAME", "STATE", "CAME TO"].map(colors.dim), came, {
            width,
            names: ["DELIVERY"],
            breaksLast: true,
          }),
        ]),
    ...(sent.length === 0
      ? []
      : [
          formatTable(["REFUSED", "LAST", "REQUESTS", "WHY"].map(colors.dim), sent, {
            width,
            names: [],
            breaksLast: true,
          }),
        ]),
  ].join("\n\n");
}

function outcomeOf({ result, error, repeats, replayOf }: DeliveryList["deliveries"][number]): string {
  const parts = [
    ...(result?.started == null ? [] : [`run ${result.started.runId}`]),
    ...(result?.delivered ?? []).map(({ runId, signal }) => `signal ${signal} to ${runId}`),
    ...(error === null ? [] : [oneLine(error.message, LONGEST_REASON)]),
    ...(replayOf === null ? [] : [`replay of ${replayOf}`]),
    ...(repeats === 0 ? [] : [`came ${repeats} more time${repeats === 1 ? "" : "s"}`]),
  ];
  return parts.join(", ");
}
