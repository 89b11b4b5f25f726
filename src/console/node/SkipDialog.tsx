/** @jsxImportSource react */
import { useId, useState } from "react";
import { useClient } from "../../react/index.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { useNotice } from "../parts/notices.js";
import { shown } from "../parts/text.js";
import type { NodeAddress } from "./use-node-log.js";

/** Leaves a task out, with a reason. */
export function SkipDialog({ task, onClose }: { task: NodeAddress; onClose(): void }) {
  const client = useClient();
  const kept = useNotice();
  const [note, setNote] = useState("");
  const id = useId();
  const { runId, nodeId, iteration } = task;
  const given = note === "" ? undefined : note;
  return (
    <ConfirmDialog
      title={`Skip ${shown(nodeId)}?`}
      verb="Skip the task"
      isDangerous
      command={treadleCommand("skip-task", [runId, nodeId], {
        iteration: iteration || undefined,
        note: given,
      })}
      onClose={onClose}
      onConfirm={() =>
        kept(client.skipTask({ ...task, ...(given !== undefined && { note: given }) }), {
          said: `Your request to skip ${shown(nodeId)} has been kept.`,
          events: { node: nodeId, type: ["NodeSkipped", "InterventionRefused"] },
        })
      }
    >
      <p>What depends on it continues without its row. A run that has failed with it is resumed.</p>
      <label htmlFor={id}>Reason (optional)</label>
      <input id={id} value={note} onChange={(event) => setNote(event.target.value)} />
    </ConfirmDialog>
  );
}
