/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { Columns } from "../parts/Columns.js";
import { Moment } from "../parts/Moment.js";
import { RangeHead } from "../parts/RangeHead.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";
import { RANGES, rangeNamed, rangeOf } from "../runs/time-range.js";
import { InstalledAgents } from "./InstalledAgents.js";

/** Which agents runs ask, what they have spent, which tasks wait for quota, and which tools this machine has. */
export default function AgentsPage() {
  const { query } = useRouter();
  const since = rangeNamed(query.get("since")) ?? "7d";
  const { createdAfterMs: sinceMs = 0 } = rangeOf(new URLSearchParams({ since }), Date.now());
  const { data, ...reading } = useMethod("agentActivity", { sinceMs });
  useRefusal(reading.error);
  return (
    <>
      <RangeHead
        title="Agents"
        since={since}
        placeOf={(name) => places.agents(name === "7d" ? {} : { since: name })}
      />
      <Reading {...reading} />
      {data !== undefined && data.waiting.length > 0 && (
        <section className="section">
          <h2>Out of quota</h2>
          <table className="table lines">
            <Columns names={["Agent", "Asked again", "Task", "Run"]} />
            <tbody>
              {data.waiting.map(({ runId, nodeId, iteration, agentId, resetAtMs }) => (
                <tr key={`${runId} ${nodeId} ${iteration}`}>
                  <td>{agentId === null ? "not named" : <code>{shownShort(agentId, 60)}</code>}</td>
                  <td>{resetAtMs === null ? "unknown" : <Moment at={resetAtMs} />}</td>
                  <td>
                    <Link to={places.node(runId, nodeId)}>{shownShort(nodeId, 60)}</Link>
                  </td>
                  <td>
                    <Link to={places.run(runId)}>
                      <code>{shownShort(runId, 40)}</code>
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {data !== undefined && (
        <section className="section">
          <h2>Asked in the last {RANGES[since].name}</h2>
          {data.used.length === 0 ? (
            <p className="hint">No run has asked an agent in this time.</p>
          ) : (
            <table className="table lines">
              <Columns
                names={[
                  "Agent",
                  "Model",
                  ">Calls",
                  ">Tokens in",
                  ">of these cached",
                  ">Tokens out",
                  "Last asked",
                ]}
              />
              <tbody>
                {data.used.map((use) => (
                  <tr key={`${use.agentId} ${use.model}`}>
                    <td>
                      <code>{shownShort(use.agentId, 60)}</code>
                    </td>
                    <td>{use.model === null ? <span className="hint">not named</span> : shown(use.model)}</td>
                    <Figure name="Calls" value={use.calls} />
                    <Figure name="Tokens in" value={use.inputTokens} />
                    <Figure name="of these cached" value={use.cacheReadTokens} />
                    <Figure name="Tokens out" value={use.outputTokens} />
                    <td>
                      <Moment at={use.lastUsedAtMs} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <p className="hint">
            As the databases count them, of all runs that are kept; what scorers ask is among it.
          </p>
        </section>
      )}
      <InstalledAgents />
    </>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <td className="end number" data-name={name}>
      {value.toLocaleString()}
    </td>
  );
}
