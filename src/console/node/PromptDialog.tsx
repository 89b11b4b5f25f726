/** @jsxImportSource react */
import { useId, useState } from "react";
import { useClient, useMethod } from "../../react/index.js";
import { treadleCommand } from "../../util/treadle-command.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { useNotice } from "../parts/notices.js";
import { shown } from "../parts/text.js";
import { ResetSet } from "../run/ResetSet.js";
import type { NodeAddress } from "./use-node-log.js";

/** Runs a task again with another prompt for its agent; it begins with the one that the workflow has. */
export function PromptDialog({ task, onClose }: { task: NodeAddress; onClose(): void }) {
  const client = useClient();
  const kept = useNotice();
  const inspection = useMethod("inspectTask", task);
  const asked = useMethod("getPrompt", task);
  const [edited, setEdited] = useState<string>();
  const id = useId();
  const { runId, nodeId, iteration } = task;
  const own = inspection.data?.prompt ?? null;
  // A function makes it: what was asked last has also what was added to it.
  const prompt = edited ?? own ?? asked.data?.question?.prompt ?? "";
  return (
    <ConfirmDialog
      title={`Run ${shown(nodeId)} again with another prompt?`}
      verb="Retry with this prompt"
      command={treadleCommand("retry-task", [runId, nodeId], {
        iteration: iteration || undefined,
        "with-prompt": prompt,
      })}
      onClose={onClose}
      onConfirm={() =>
        kept(client.retryTask({ ...task, prompt }), {
          said: `${shown(nodeId)} runs again.`,
          events: { node: nodeId },
        })
      }
    >
      {inspection.isLoading || asked.isLoading ? (
        <p className="hint">Loading…</p>
      ) : (
        <>
          <label htmlFor={id}>Prompt</label>
          <textarea id={id} rows={8} value={prompt} onChange={({ target }) => setEdited(target.value)} />
          <p className="hint">
            {own === null &&
              "The workflow makes its prompt while it runs: this is what was asked last, with what was added to it. "}
            Its agent is asked this until the task is retried again.
          </p>
        </>
      )}
      <ResetSet task={task} />
    </ConfirmDialog>
  );
}
