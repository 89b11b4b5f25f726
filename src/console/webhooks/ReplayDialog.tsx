/** @jsxImportSource react */
import { useEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useClient } from "../../react/index.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { explained } from "../parts/explained.js";
import { Problem } from "../parts/Reading.js";
import { shownShort } from "../parts/text.js";

interface ReplayDialogProps {
  workflowKey: string;
  deliveryKey: string;
  /** It has not been done: it is tried again as itself. */
  isTriedAgain: boolean;
  onClose(): void;
}

type Replayed = GatewayMethods["webhookReplay"]["result"];

/** Says what a replay would come to as the runs stand now, and makes it once, however often the answer is lost. */
export function ReplayDialog({ workflowKey, deliveryKey, isTriedAgain, onClose }: ReplayDialogProps) {
  const client = useClient();
  const [replayId] = useState(randomId);
  const [preview, setPreview] = useState<Replayed | Error>();
  const params = { workflow: workflowKey, delivery: deliveryKey };
  // biome-ignore lint/correctness/useExhaustiveDependencies: of one delivery, as long as the dialog is open.
  useEffect(() => {
    const stop = new AbortController();
    client
      .webhookReplay({ ...params, dryRun: true }, { signal: stop.signal })
      .then(setPreview, (error: Error) => stop.signal.aborted || setPreview(error));
    return () => stop.abort();
  }, [client, workflowKey, deliveryKey]);
  return (
    <ConfirmDialog
      title="Replay this delivery?"
      verb="Replay"
      onClose={onClose}
      onConfirm={() => client.webhookReplay({ ...params, replayId })}
    >
      <p>
        {isTriedAgain
          ? "It is tried again as itself: should its sender send it once more, that is a duplicate."
          : "It was done before. It is done again, as a delivery of its own and in your name."}
      </p>
      {preview === undefined && <p className="hint">Looking what it comes to…</p>}
      {preview instanceof Error && <Problem text={`As things are, it is refused: ${explained(preview)}`} />}
      {preview !== undefined && !(preview instanceof Error) && <p>{comesTo(preview)}</p>}
    </ConfirmDialog>
  );
}

/** Also on a page without TLS, where the browser makes no UUIDs. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

function comesTo({ delivered, started }: Replayed): string {
  if (started !== null) return "It starts a run.";
  if (delivered.length === 0) return "The webhook is switched off: it does nothing.";
  const names = delivered.slice(0, 5).map(({ runId }) => shownShort(runId, 40));
  const more = delivered.length > names.length ? ` and ${delivered.length - names.length} more` : "";
  return `The signal ${shownShort(delivered[0]?.signal ?? "", 40)} goes to ${names.join(", ")}${more}.`;
}
