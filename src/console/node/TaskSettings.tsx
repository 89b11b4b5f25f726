/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { formatDuration } from "../../util/duration.js";
import { Fact, Facts } from "../parts/Facts.js";
import { Reading } from "../parts/Reading.js";
import { State } from "../parts/State.js";
import { shownShort } from "../parts/text.js";
import type { NodeAddress } from "./use-node-log.js";

/** What the newest frame says of the task: what it waits for, and how it is to be tried. */
export function TaskSettings(address: NodeAddress) {
  const { data, ...reading } = useMethod("inspectTask", { ...address });
  const { parts } = useRouter();
  if (data === undefined) return <Reading {...reading} />;
  const settings = Object.entries(data.settings);
  return (
    <>
      {data.dependsOn.length > 0 && (
        <section aria-labelledby="waits-for">
          <h3 id="waits-for">Depends on</h3>
          <ul className="short-list">
            {data.dependsOn.map(({ nodeId, iteration, label, state }) => (
              <li key={JSON.stringify([nodeId, iteration])}>
                <Link
                  to={places.beside(parts[2], address.runId, nodeId, {
                    round: iteration > 0 ? String(iteration + 1) : undefined,
                  })}
                >
                  {shownShort(label ?? nodeId, 80)}
                </Link>{" "}
                {state === null ? <span className="hint">no row yet</span> : <State state={state} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="as-written">
        <h3 id="as-written">Settings in the workflow</h3>
        {!data.isMounted && <p className="hint">The task has left the tree.</p>}
        {data.isMounted && settings.length === 0 && (
          <p className="hint">No time-out, retry policy or cache is set: the defaults hold.</p>
        )}
        {settings.length > 0 && (
          <Facts>
            {settings.map(([name, value]) => (
              <Fact key={name} name={name}>
                <code>{shownShort(value, 200)}</code>
                {name.endsWith("Ms") && /^\d+$/.test(value) && (
                  <span className="hint"> {formatDuration(Number(value))}</span>
                )}
              </Fact>
            ))}
          </Facts>
        )}
      </section>
    </>
  );
}
