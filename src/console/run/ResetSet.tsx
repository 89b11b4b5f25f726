/** @jsxImportSource react */
import { useEffect, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useClient } from "../../react/index.js";
import { explained } from "../parts/explained.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";

interface ResetSetProps {
  task: { runId: string; nodeId: string; iteration: number };
}

type Reset = GatewayMethods["retryTask"]["result"]["resetNodes"];

/** The tasks that a retry of one would reset. */
export function ResetSet({ task: { runId, nodeId, iteration } }: ResetSetProps) {
  const client = useClient();
  const [reset, setReset] = useState<Reset | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    client
      .retryTask({ runId, nodeId, iteration, dryRun: true })
      .then(({ resetNodes }) => setReset(resetNodes))
      .catch((error: Error) => setProblem(explained(error)));
  }, [client, runId, nodeId, iteration]);
  if (problem !== null) return <Problem text={problem} />;
  if (reset === null) return <p className="hint">Looking what it would reset…</p>;
  return (
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
  );
}
