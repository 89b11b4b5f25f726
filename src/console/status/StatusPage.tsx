/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { Columns } from "../parts/Columns.js";
import { Fact, Facts } from "../parts/Facts.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { shown } from "../parts/text.js";
import { AtWork } from "./AtWork.js";

/** The gateway itself: whether it can work, what it is at, and what this page may ask of it. */
export default function StatusPage() {
  const { data, ...reading } = useMethod("health", {}, { pollMs: 5_000 });
  useRefusal(reading.error);
  const missing = Object.entries(data?.missingScopes ?? {});
  return (
    <>
      <div className="view-head">
        <h1>Status</h1>
        {data !== undefined && (
          <span className={data.ready ? "state good" : "state bad"}>
            <Icon name={data.ready ? "check" : "cross"} />
            {data.ready ? "ready" : `not ready: ${data.error?.code ?? "unknown"}`}
          </span>
        )}
      </div>
      <Reading {...reading} />
      {data !== undefined && (
        <>
          <Facts>
            <Fact name="Version">{data.version}</Fact>
            <Fact name="Protocol">{data.protocol}</Fact>
            <Fact name="You are">{data.caller === null ? "not named" : shown(data.caller)}</Fact>
            {data.workspaceRoot !== undefined && (
              <Fact name="Workspace">
                <code>{shown(data.workspaceRoot)}</code>
              </Fact>
            )}
          </Facts>
          <AtWork />
          <h2>What you may not do</h2>
          {missing.length === 0 ? (
            <p className="hint">Nothing: your token has every scope.</p>
          ) : (
            <table className="table">
              <Columns names={["Method", "Needs"]} />
              <tbody>
                {missing.map(([method, scope]) => (
                  <tr key={method}>
                    <td>
                      <code>{shown(method)}</code>
                    </td>
                    <td>
                      <code>{scope}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </>
  );
}
