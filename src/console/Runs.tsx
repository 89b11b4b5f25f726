/** @jsxImportSource react */
import { nodeCountText } from "../model/node-counts.js";
import { useRuns } from "../react/index.js";
import { Damage, Reading, Since, shown, State } from "./shown-parts.js";
import { useRefusal } from "./token.js";
import { runHref } from "./use-route.js";

/** The newest runs, kept up to date. */
export function Runs({ filter }: { filter: { workflow?: string } }) {
  const { data, ...reading } = useRuns({ ...filter, limit: 100 });
  useRefusal(reading.error);
  return (
    <section aria-labelledby="runs-heading">
      <h2 id="runs-heading">Runs</h2>
      <Reading {...reading} />
      {data?.runs.length === 0 && data.nextCursor === null && (
        <p className="hint">
          No run yet. Start one: <code>treadle up &lt;file&gt;</code>, or the method <code>launchRun</code>.
        </p>
      )}
      {data !== undefined && data.runs.length > 0 && (
        <ul className="rows">
          {data.runs.map(
            ({ runId, runState, stopped, workflowName, createdAtMs, startedAtMs, finishedAtMs, nodes }) => {
              return (
                <li key={runId} className="row">
                  <a href={runHref(runId)}>
                    <span className="name">{shown(workflowName)}</span> <code>{shown(runId)}</code>
                  </a>
                  <State state={runState} />
                  <span className="hint">
                    {stopped != null && <>{shown(stopped.reason)} · </>}
                    tasks {nodeCountText(nodes)} ·{" "}
                    <Since at={startedAtMs ?? createdAtMs} until={finishedAtMs} />
                  </span>
                </li>
              );
            },
          )}
        </ul>
      )}
      <Damage damaged={data?.damaged} />
      {data?.nextCursor != null && <p className="hint">Older runs are not shown: treadle ps lists them.</p>}
    </section>
  );
}
