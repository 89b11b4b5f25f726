/** @jsxImportSource react */
import { bootData } from "treadle/client";
import { useLaunch, useMethod, useRuns } from "treadle/react";
import { showPage } from "./show-page.jsx";

function Report() {
  const { launch, error, isPending } = useLaunch();
  const newest = useRuns({ workflow: "live-report", limit: 1 }).data?.runs[0];
  const start = () => {
    launch({ workflow: "live-report", input: { seconds: bootData()?.props.seconds } }).catch(() => {});
  };
  return (
    <>
      <h1>Orders by region</h1>
      <button type="button" onClick={start} disabled={isPending}>
        Make a report
      </button>
      {error !== undefined && <p role="alert">{error.message}</p>}
      {newest !== undefined && <Parts key={newest.runId} runId={newest.runId} />}
    </>
  );
}

/** A line for each part: its task's state while it works, then its row. */
function Parts({ runId }) {
  const { data } = useMethod("inspectRun", { runId });
  const parts = data?.nodes.filter(({ nodeId }) => nodeId !== "report");
  const isReady = data?.run.status === "finished";
  return (
    <>
      <table>
        <thead>
          <tr>
            <th>Region</th>
            <th>Orders</th>
          </tr>
        </thead>
        <tbody>
          {parts?.map(({ nodeId, state }) => (
            <tr key={nodeId}>
              <th scope="row">{nodeId}</th>
              <td>{state === "finished" ? <Value runId={runId} nodeId={nodeId} name="orders" /> : state}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isReady && (
        <p>
          <strong>
            <Value runId={runId} nodeId="report" name="orders" /> orders, most of them in the{" "}
            <Value runId={runId} nodeId="report" name="best" />.
          </strong>
        </p>
      )}
    </>
  );
}

/** A member of the row that a task wrote. */
function Value({ runId, nodeId, name }) {
  const { data } = useMethod("getNode", { runId, nodeId });
  return <>{String(data?.output?.[name] ?? "…")}</>;
}

showPage(<Report />);
