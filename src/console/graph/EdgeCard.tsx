/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import { Json } from "../parts/Json.js";
import { Reading } from "../parts/Reading.js";
import { shownShort } from "../parts/text.js";

interface EdgeCardProps {
  runId: string;
  /** Names of its ends, as the graph shows them. */
  from: string;
  to: string;
  /** The task whose row is passed on; null where the edge is only an order. */
  passedFrom: string | null;
  onClose(): void;
}

/** What goes along an edge. */
export function EdgeCard({ runId, from, to, passedFrom, onClose }: EdgeCardProps) {
  return (
    <section className="pane graph-card" aria-label="The chosen edge">
      <div className="node-head">
        <h3>
          {shownShort(from, 60)} → {shownShort(to, 60)}
        </h3>
        <button type="button" className="plain" aria-label="Close the edge" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      {passedFrom === null ? (
        <p className="hint">One after the other; no row is passed on.</p>
      ) : (
        <PassedRow runId={runId} nodeId={passedFrom} />
      )}
    </section>
  );
}

function PassedRow({ runId, nodeId }: { runId: string; nodeId: string }) {
  const { data, ...reading } = useMethod("getNode", { runId, nodeId });
  return (
    <>
      <p className="hint">
        The row of <Link to={places.graph(runId, nodeId)}>{shownShort(nodeId, 80)}</Link> is passed on.
      </p>
      <Reading {...reading} />
      {data !== undefined &&
        (data.output === undefined ? (
          <p className="hint">No row yet.</p>
        ) : (
          <Json value={data.output} name="the row that is passed on" />
        ))}
    </>
  );
}
