/** @jsxImportSource react */
import { remedyCommand } from "../../operations/index.js";
import { useClient } from "../../react/index.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { useNotice } from "../parts/notices.js";
import { shown } from "../parts/text.js";
import { ResetSet } from "./ResetSet.js";

interface RetryDialogProps {
  task: { runId: string; nodeId: string; iteration: number };
  onClose(): void;
}

/** Shows what a retry would reset, before it does. */
export function RetryDialog({ task, onClose }: RetryDialogProps) {
  const client = useClient();
  const kept = useNotice();
  const { runId, nodeId, iteration } = task;
  return (
    <ConfirmDialog
      title={`Run ${shown(nodeId)} again?`}
      verb="Retry"
      command={remedyCommand({ action: "retry-task", runId, nodeId, iteration })}
      onClose={onClose}
      onConfirm={() =>
        kept(client.retryTask({ runId, nodeId, iteration }), {
          said: `${shown(nodeId)} runs again.`,
          events: { node: nodeId },
        })
      }
    >
      <ResetSet task={task} />
    </ConfirmDialog>
  );
}
