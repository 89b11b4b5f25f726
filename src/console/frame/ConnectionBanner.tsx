/** @jsxImportSource react */
import { useEffect, useState, useSyncExternalStore } from "react";
import { useClient, useMethod } from "../../react/index.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";

/** Says once for the whole page that what it shows is old; it comes back by itself, and nothing is taken away meanwhile. */
export function ConnectionBanner() {
  const client = useClient();
  const connection = useSyncExternalStore(client.onConnection, () => client.connection);
  const { isStale, updatedAtMs, error } = useMethod("health", {}, { pollMs: 60_000 });
  const [lostAtMs, setLostAtMs] = useState<number | null>(null);
  const isLost =
    isStale ||
    connection.status === "offline" ||
    ("error" in connection && connection.status === "connecting");
  useEffect(() => setLostAtMs((before) => (isLost ? (before ?? Date.now()) : null)), [isLost]);
  if (!isLost) return null;
  const reason = "error" in connection ? connection.error?.message : error?.message;
  const sinceMs = lostAtMs ?? updatedAtMs;
  return (
    <div className="banner" role="status">
      <span>
        <Icon name="warning" /> The gateway cannot be reached. Stale
        {sinceMs !== null && <> since {new Date(sinceMs).toLocaleTimeString()}</>}; it is tried again by
        itself.
      </span>
      {reason !== undefined && <span className="hint">{shown(reason)}</span>}
    </div>
  );
}
