/** @jsxImportSource react */
import type { GatewayMethods } from "../../client/index.js";
import { useClient, useMethod } from "../../react/index.js";
import { formatDuration } from "../../util/duration.js";
import { Columns } from "../parts/Columns.js";
import { Fact, Facts } from "../parts/Facts.js";
import { Icon } from "../parts/Icon.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";

type Status = GatewayMethods["hostStatus"]["result"];

/** What the gateway's process is at and how fast its databases answer, as it counts itself. */
export function AtWork() {
  const client = useClient();
  const { data, ...reading } = useMethod("hostStatus", {}, { pollMs: 5_000 });
  if (data === undefined) return <Reading {...reading} />;
  return (
    <>
      <h2>At work</h2>
      <Facts>
        <Fact name="Runs driven">{data.runsActive.toLocaleString()}</Fact>
        <Fact name="Tasks at work">{data.nodesActive.toLocaleString()}</Fact>
        <Fact name="Tasks that wait for a slot">{data.queueDepth.toLocaleString()}</Fact>
        <Fact name="Connections">{`${data.websockets.toLocaleString()} with ${data.streams.toLocaleString()} streams`}</Fact>
        <Fact name="Up for">{formatDuration(data.uptimeMs)}</Fact>
        <Fact name="Memory">{`${Math.round(data.memoryBytes / 1_048_576).toLocaleString()} MiB`}</Fact>
      </Facts>
      <h3>Since it began</h3>
      <Facts>
        <Fact name="Requests that failed here">{share(data.failedRequests, data.requests)}</Fact>
        <Fact name="Attempts of tasks that failed">{share(data.failedAttempts, data.taskAttempts)}</Fact>
        <Fact name="One read">{times(data.dbRead)}</Fact>
        <Fact name="One write">{times(data.dbWrite)}</Fact>
        <Fact name="Tried again, being locked">{data.dbRetries.toLocaleString()}</Fact>
      </Facts>
      <p className="hint">
        More of it, for Prometheus: <a href={`${client.url.replace(/\/$/, "")}/metrics`}>/metrics</a>
      </p>
      <h2>Databases</h2>
      {data.databases.length === 0 ? (
        <p className="hint">None yet: each workflow brings its own.</p>
      ) : (
        <table className="table lines">
          <Columns names={["Database", "Kind", ">Answers in"]} />
          <tbody>
            {data.databases.map(({ path, dialect, answersInMs }) => (
              <tr key={path}>
                <td>
                  <code className="breaks">{shown(path)}</code>
                </td>
                <td>{dialect}</td>
                <td className="end number" data-name="Answers in">
                  {ms(answersInMs)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>Workers</h2>
      {data.workers.length === 0 ? (
        <p className="hint">
          None has given a sign of life. Tasks are executed by the processes that drive their runs; on a
          Postgres server <code>treadle worker</code> starts one.
        </p>
      ) : (
        <table className="table lines">
          <Columns names={["Worker", "State", "Queues", ">Tasks"]} />
          <tbody>
            {data.workers.map((worker) => (
              <WorkerLine key={worker.id} worker={worker} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function WorkerLine({ worker }: { worker: Status["workers"][number] }) {
  const { name, id, queues, running, concurrency, isSilent, isDraining, silentMs } = worker;
  return (
    <tr>
      <td>
        {shownShort(name, 60)}
        <span className="hint block">
          <code>{shownShort(id, 60)}</code>
        </span>
      </td>
      <td>
        <span className={isSilent ? "state bad" : isDraining ? "state wait" : "state good"}>
          <Icon name={isSilent ? "warning" : isDraining ? "pause" : "check"} />
          {isSilent
            ? `silent for ${formatDuration(silentMs)}`
            : isDraining
              ? "finishes what it has"
              : "at work"}
        </span>
      </td>
      <td>{queues.map((queue) => shownShort(queue, 40)).join(", ")}</td>
      <td className="end number" data-name="Tasks">
        {running} of {concurrency}
      </td>
    </tr>
  );
}

function share(part: number, whole: number): string {
  if (whole === 0) return "none yet";
  const percent = (100 * part) / whole;
  return `${percent === 0 ? "0" : percent.toFixed(percent < 1 ? 2 : 1)} % of ${whole.toLocaleString()}`;
}

function times({ count, meanMs, p50Ms, p99Ms }: Status["dbRead"]): string {
  if (count === 0 || meanMs === null) return "none yet";
  const within = (limit: number | null) => (limit === null ? "longer" : `${limit} ms`);
  return `${ms(meanMs)} on average; half within ${within(p50Ms)}, 99 % within ${within(p99Ms)}`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString()} ms`;
}
