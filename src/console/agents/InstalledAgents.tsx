/** @jsxImportSource react */
import { useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useClient } from "../../react/index.js";
import { useAllowed } from "../access/allowed.js";
import { Columns } from "../parts/Columns.js";
import { Icon } from "../parts/Icon.js";
import { Moment } from "../parts/Moment.js";
import { Problem } from "../parts/Reading.js";
import { shown } from "../parts/text.js";

type Checked = GatewayMethods["checkAgents"]["result"];
type Agent = Checked["agents"][number];

/** The command-line agents of the gateway's machine. They are asked when a person wants it: that starts each of them. */
export function InstalledAgents() {
  const client = useClient();
  const missing = useAllowed().missing("checkAgents");
  const [checked, setChecked] = useState<Checked | Error>();
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    setChecked(await client.checkAgents({}).catch((error: Error) => error));
    setAsking(false);
  };
  return (
    <section className="section">
      <h2>On the gateway’s machine</h2>
      <p className="hint">
        Which command-line agents are installed there, in which version, and whether someone is signed in; as{" "}
        <code>treadle agents doctor</code> says it. No token is spent.
      </p>
      <p>
        <button type="button" className="button" disabled={isAsking || missing !== undefined} onClick={ask}>
          <Icon name={isAsking ? "clock" : "pulse"} /> {isAsking ? "Asking them…" : "Check them"}
        </button>
      </p>
      {checked instanceof Error && <Problem text={checked.message} />}
      {checked !== undefined && !(checked instanceof Error) && (
        <>
          <table className="table lines">
            <Columns names={["Agent", "Version", "Signed in", "Can do"]} />
            <tbody>
              {checked.agents.map((agent) => (
                <AgentLine key={agent.engine} agent={agent} />
              ))}
            </tbody>
          </table>
          <p className="hint">
            Checked at <Moment at={checked.checkedAtMs} />; an answer holds for a minute.
          </p>
        </>
      )}
    </section>
  );
}

const SIGNED_IN = { ok: "yes", missing: "no", unknown: "not known" } as const;

function AgentLine({ agent }: { agent: Agent }) {
  const { engine, command, isInstalled, version, checkedAgainst, auth, problem, capabilities } = agent;
  const works = isInstalled && problem === undefined;
  return (
    <tr>
      <td>
        <span className={works ? "state good" : isInstalled ? "state bad" : "state idle"}>
          <Icon name={works ? "check" : isInstalled ? "cross" : "minus"} /> {engine}
        </span>
        <span className="hint block">
          <code>{shown(command)}</code>
        </span>
      </td>
      <td>
        {isInstalled ? shown(version ?? "unknown") : <span className="hint">not installed</span>}
        {isInstalled && <span className="hint block">checked against {checkedAgainst}</span>}
      </td>
      <td>
        {isInstalled ? SIGNED_IN[auth] : <span className="hint">–</span>}
        {isInstalled && problem !== undefined && <span className="hint block">{shown(problem.summary)}</span>}
      </td>
      <td>
        <details>
          <summary>{capabilities.builtIns.length} tools</summary>
          <p className="hint">{capabilities.builtIns.join(", ")}</p>
        </details>
        <span className="hint block">
          MCP: {capabilities.mcp.replaceAll("-", " ")} · skills: {capabilities.skills ? "yes" : "no"}
        </span>
      </td>
    </tr>
  );
}
