/** @jsxImportSource react */
import { useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { messageText } from "../../memory/message-text.js";
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { Columns } from "../parts/Columns.js";
import { LongText } from "../parts/LongText.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { shown, shownShort } from "../parts/text.js";

const PAGE = 50;
/** What the gateway gives at once. */
const MOST = 500;

/** Conversations, the one that was written to last first; one of them with its messages. */
export function Threads() {
  const { query } = useRouter();
  const threadId = query.get("thread");
  const namespace = query.get("namespace") ?? undefined;
  const [limit, setLimit] = useState(PAGE);
  const filter = { limit, ...(namespace !== undefined && { namespace }) };
  const { data, ...reading } = useMethod("listMemoryThreads", threadId === null ? filter : null);
  useRefusal(reading.error);
  if (threadId !== null) return <Conversation key={threadId} threadId={threadId} />;
  return (
    <>
      <Reading {...reading} />
      {namespace !== undefined && (
        <p className="hint">
          Those of <code className="breaks">{shown(namespace)}</code>.{" "}
          <Link to={places.memory({ show: "threads" })}>Show all</Link>
        </p>
      )}
      {data?.threads.length === 0 && (
        <div className="empty">
          <p>No conversation is remembered{namespace === undefined ? " yet" : " here"}.</p>
        </div>
      )}
      {data !== undefined && data.threads.length > 0 && (
        <table className="table lines">
          <Columns names={["Conversation", "Namespace", "Begun", "Last message"]} />
          <tbody>
            {data.threads.map(({ threadId: id, title, namespace: of, createdAtMs, updatedAtMs }) => (
              <tr key={id}>
                <td>
                  <Link className="breaks" to={places.memory({ show: "threads", thread: id })}>
                    {shownShort(title ?? id, 120)}
                  </Link>
                  {title !== undefined && (
                    <span className="hint block">
                      <code className="breaks">{shownShort(id, 80)}</code>
                    </span>
                  )}
                </td>
                <td>
                  <Link className="breaks" to={places.memory({ show: "threads", namespace: of })}>
                    {shownShort(of, 60)}
                  </Link>
                </td>
                <td data-name="Begun">
                  <Moment at={createdAtMs} />
                </td>
                <td data-name="Last message">
                  <Moment at={updatedAtMs} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data?.threads.length === limit && limit < MOST && (
        <button type="button" className="button" onClick={() => setLimit(MOST)}>
          Show more
        </button>
      )}
    </>
  );
}

function Conversation({ threadId }: { threadId: string }) {
  const [limit, setLimit] = useState(PAGE);
  const { data, ...reading } = useMethod("getMemoryThread", { threadId, limit });
  useRefusal(reading.error);
  const left = data === undefined ? 0 : data.total - data.messages.length;
  return (
    <>
      <p className="crumbs">
        <Link to={places.memory({ show: "threads" })}>Conversations</Link> /{" "}
        {shownShort(data?.thread.title ?? threadId, 120)}
      </p>
      <Reading {...reading} />
      {left > 0 && (
        <p className="hint">
          {left.toLocaleString()} earlier message{left === 1 ? "" : "s"}.{" "}
          {limit < MOST && (
            <button type="button" className="plain" onClick={() => setLimit(MOST)}>
              Show earlier ones
            </button>
          )}
        </p>
      )}
      {data?.messages.length === 0 && <p className="hint">Nothing has been said in it.</p>}
      <ol className="stacked conversation">
        {data?.messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
    </>
  );
}

function Message({ message }: { message: GatewayMethods["getMemoryThread"]["result"]["messages"][number] }) {
  const { role, createdAtMs, runId, nodeId } = message;
  return (
    <li className="card">
      <p className="hint">
        <strong>{shownShort(role, 40)}</strong> <Moment at={createdAtMs} />
        {runId !== undefined && (
          <>
            {" "}
            <Link to={nodeId === undefined ? places.run(runId) : places.node(runId, nodeId)}>
              {shownShort(nodeId ?? runId, 60)}
            </Link>
          </>
        )}
      </p>
      <LongText text={messageText(message)} name="the message" wraps />
    </li>
  );
}
