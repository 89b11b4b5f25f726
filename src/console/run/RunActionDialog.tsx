/** @jsxImportSource react */
import { useId, useState } from "react";
import { useClient } from "../../react/index.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { useNotice } from "../parts/notices.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { shown } from "../parts/text.js";
import type { Inspection } from "./inspection.js";

interface RunActionDialogProps {
  run: Inspection["run"];
  action: "cancel" | "resume";
  onClose(): void;
}

/** Asks once more, and says what becomes of the run's tasks. */
export function RunActionDialog({ run: { runId, workflowName }, action, onClose }: RunActionDialogProps) {
  const client = useClient();
  const kept = useNotice();
  const [reason, setReason] = useState("");
  const id = useId();
  if (action === "resume") {
    return (
      <ConfirmDialog
        title="Resume the run?"
        verb="Resume"
        command={treadleCommand("up", [], { resume: runId })}
        onClose={onClose}
        onConfirm={() => client.resumeRun({ runId })}
      >
        <p>Finished tasks keep their rows; what failed or was under way starts again.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Cancel the run?"
      verb="Cancel the run"
      isDangerous
      command={treadleCommand("cancel", [runId], { reason: reason === "" ? undefined : reason })}
      onClose={onClose}
      onConfirm={() =>
        kept(client.cancelRun({ runId, ...(reason !== "" && { reason }) }), {
          said: "Your request to cancel the run has been kept.",
          events: { type: "RunCancelled" },
        })
      }
    >
      <p>
        <code>{shown(runId)}</code> of {shown(workflowName)}: tasks under way are aborted, what has finished
        stays.
      </p>
      <label htmlFor={id}>Reason (optional)</label>
      <input id={id} value={reason} onChange={(event) => setReason(event.target.value)} />
    </ConfirmDialog>
  );
}
