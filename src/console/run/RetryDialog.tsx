/** @jsxImportSource react */
import { useEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { remedyCommand } from "../../operations/index.js";
import { useClient } from "../../react/index.js";
import { ConfirmDialog } from "../parts/ConfirmDialog.js";
import { explained } from "../parts/explained.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";

interface RetryDialogProps {
  task: { runId: string; nodeId: string; iteration: number };
  onClose(): void;
}

type Reset = GatewayMethods["retryTask"]["result"]["resetNodes"];

/** Shows what a retry would reset, before it does. */
export function RetryDialog({ task: { runId, nodeId, iteration }, onClose }: RetryDialogProps) {
  const client = useClient();
  const [reset, setReset] = useState<Reset | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    client
      .retryTask({ runId, nodeId, iteration, dryRun: true })
      .then(({ resetNodes }) => setReset(resetNodes))
      .catch((error: Error) => setProblem(explained(error)));
  }, [client, runId, nodeId, iteration]);
  return (
    <ConfirmDialog
      title={`Run ${shown(nodeId)} again?`}
      verb="Retry"
      command={remedyCommand({ action: "retry-task", runId, nodeId, iteration })}
      onClose={onClose}
      onConfirm={() => client.retryTask({ runId, nodeId, iteration })}
    >
      {problem !== null && <Problem text={problem} />}
      {reset === null && problem === null && <p className="hint">Looking what it would reset…</p>}
      {reset !== null && (
        <>
          <p>These tasks lose their rows and run again ({reset.length}):</p>
          <ul className="short-list">
            {reset.slice(0, 50).map((node) => (
              <li key={JSON.stringify(node)}>
                <code>{shown(typeof node === "string" ? node : JSON.stringify(node))}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}
