/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";
import { useClient } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Icon } from "../parts/Icon.js";
import { Moment } from "../parts/Moment.js";
import { shown } from "../parts/text.js";

export type KnownSchedules = GatewayMethods["cronList"]["result"]["schedules"];

interface OccasionsProps {
  workflow: GatewayMethods["listWorkflows"]["result"]["workflows"][number];
  /** All of the gateway; undefined where the caller may not read them. */
  schedules: KnownSchedules | undefined;
}

/** What starts runs of the workflow by itself: schedules with their next times, and its webhook. */
export function Occasions({ workflow: { key, schedule, hasWebhook }, schedules }: OccasionsProps) {
  const client = useClient();
  const own = schedules?.filter(({ workflowKey }) => workflowKey === key);
  const url = new URL(`webhooks/${encodeURIComponent(key)}`, `${client.url.replace(/\/$/, "")}/`).href;
  return (
    <>
      {own === undefined && schedule !== null && (
        <p className="hint">
          <Icon name="calendar" /> <code>{shown(schedule)}</code>
        </p>
      )}
      {own?.map(({ cronId, pattern, timeZone, enabled, nextFiresAtMs: [next] }) => (
        <p key={cronId} className="hint">
          <Icon name="calendar" /> <Link to={places.schedules()}>{shown(pattern)}</Link>{" "}
          {timeZone !== "UTC" && `${shown(timeZone)} `}
          {next !== undefined && enabled ? (
            <>
              next <Moment at={next} />
            </>
          ) : (
            "switched off"
          )}
        </p>
      ))}
      {hasWebhook && (
        <p className="hint">
          <Icon name="signal" /> POST <code className="breaks">{shown(url)}</code>
          <CopyButton text={url} what="the address of the webhook" />
        </p>
      )}
    </>
  );
}
