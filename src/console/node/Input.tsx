/** @jsxImportSource react */
import type { AttemptRow, NodeRow } from "../../model/node.js";
import { useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Fold } from "../parts/Fold.js";
import { Json } from "../parts/Json.js";
import { Reading } from "../parts/Reading.js";
import { State } from "../parts/State.js";
import { shown, shownShort } from "../parts/text.js";
import { Prompt } from "./Prompt.js";

interface InputProps {
  runId: string;
  node: NodeRow;
  attempts: readonly AttemptRow[];
  /** Its row. */
  output: unknown;
}

/** What the task is given: the prompt of an agent, the rows that a function takes, the payload of a static one. */
export function Input({ runId, node, attempts, output }: InputProps) {
  const { nodeId, iteration, kind } = node;
  const { data, ...reading } = useMethod("inspectTask", { runId, nodeId, iteration });
  const childRunId = attempts.at(-1)?.meta?.childRunId;
  return (
    <>
      {kind === "agent" && <Prompt runId={runId} nodeId={nodeId} iteration={iteration} attempts={attempts} />}
      {kind === "static" && (
        <section className="pad" aria-label="Payload">
          <p className="hint">The payload in the tree is the row of the task.</p>
          {output !== undefined && <Json value={output} name="the payload" />}
        </section>
      )}
      {childRunId !== undefined && (
        <p className="hint pad">
          Its input is that of its <Link to={{ parts: ["runs", childRunId, "input"] }}>child run</Link>.
        </p>
      )}
      <section className="pad stack-parts" aria-label="Rows it takes">
        <h3>Rows of other tasks</h3>
        <Reading {...reading} />
        {data?.dependsOn.length === 0 && (
          <p className="hint">{data.isMounted ? "It names none." : "It has left the tree."}</p>
        )}
        {data?.dependsOn.map((one) => (
          <Fold
            key={JSON.stringify([one.nodeId, one.iteration])}
            title={
              <>
                {shownShort(one.label ?? one.nodeId, 80)} {one.state !== null && <State state={one.state} />}
              </>
            }
          >
            <TakenRow runId={runId} nodeId={one.nodeId} iteration={one.iteration} />
          </Fold>
        ))}
        {data !== undefined && data.moreDependencies > 0 && (
          <p className="hint">and {data.moreDependencies.toLocaleString()} more</p>
        )}
      </section>
    </>
  );
}

function TakenRow(address: { runId: string; nodeId: string; iteration: number }) {
  const { data, ...reading } = useMethod("getNode", address);
  return (
    <>
      <p className="hint">
        <Link to={places.node(address.runId, address.nodeId)}>{shown(address.nodeId)}</Link>
      </p>
      <Reading {...reading} />
      {data !== undefined &&
        (data.output === undefined ? (
          <p className="hint">No row yet.</p>
        ) : (
          <Json value={data.output} name={`the row of ${address.nodeId}`} />
        ))}
    </>
  );
}
