/** @jsxImportSource react */
import { type FormEvent, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { Link, useRouter } from "../frame/router.js";
import { places } from "../frame/places.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Json } from "../parts/Json.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { shownShort } from "../parts/text.js";

type Fact = GatewayMethods["listMemoryFacts"]["result"]["facts"][number];

const PAGE = 100;

/** What memory holds beyond runs: facts by namespace and key. The address has which of them. */
export default function MemoryPage() {
  const { query, go } = useRouter();
  const [namespace, key] = [query.get("namespace") ?? "", query.get("key") ?? ""];
  const [trail, setTrail] = useState<string[]>([]);
  const cursor = trail.at(-1);
  const { data, ...reading } = useMethod("listMemoryFacts", {
    ...(namespace !== "" && { namespace }),
    ...(key !== "" && { key }),
    ...(cursor !== undefined && { cursor }),
    limit: PAGE,
  });
  useRefusal(reading.error);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name)).trim() || undefined;
    setTrail([]);
    go(places.memory({ namespace: text("namespace"), key: text("key") }));
  };
  return (
    <>
      <div className="view-head">
        <h1>Memory</h1>
      </div>
      <form className="compare" onSubmit={search} key={`${namespace} ${key}`}>
        <label>
          Namespace
          <input name="namespace" defaultValue={namespace} placeholder="user:ada" />
        </label>
        <label>
          Key
          <input name="key" defaultValue={key} placeholder="any" />
        </label>
        <button type="submit" className="button">
          Find
        </button>
        {(namespace !== "" || key !== "") && (
          <Link className="plain" to={places.memory()} onClick={() => setTrail([])}>
            Show all
          </Link>
        )}
      </form>
      <Reading {...reading} />
      {data?.facts.length === 0 && (
        <div className="empty">
          <p>
            {namespace === "" && key === "" ? "No fact is remembered yet." : "No such fact is remembered."}
          </p>
        </div>
      )}
      {data !== undefined && data.facts.length > 0 && (
        <table className="table lines">
          <thead>
            <tr>
              <th>Namespace</th>
              <th>Key</th>
              <th>Value</th>
              <th>Changed</th>
              <th>Expires</th>
            </tr>
          </thead>
          <tbody>
            {data.facts.map((fact) => (
              <FactLine key={`${fact.namespace} ${fact.key}`} fact={fact} />
            ))}
          </tbody>
        </table>
      )}
      <div className="pages">
        {trail.length > 0 && (
          <button type="button" className="button" onClick={() => setTrail(trail.slice(0, -1))}>
            Page before
          </button>
        )}
        {data?.nextCursor != null && (
          <button
            type="button"
            className="button"
            onClick={() => setTrail([...trail, data.nextCursor as string])}
          >
            Next page
          </button>
        )}
      </div>
      <p className="hint">
        This page changes nothing. Facts are written and deleted, and conversations read, where the database
        is: <code>treadle memory set</code>, <code>treadle memory delete</code>,{" "}
        <code>treadle memory threads</code>.
      </p>
    </>
  );
}

function FactLine({ fact }: { fact: Fact }) {
  const { namespace, key, valueJson, updatedAtMs, ttlMs } = fact;
  const [isOpen, setOpen] = useState(false);
  return (
    <tr>
      <td>
        <Link to={places.memory({ namespace })}>{shownShort(namespace, 60)}</Link>
      </td>
      <td>
        <span className="breaks">{shownShort(key, 120)}</span>
        <CopyButton text={key} what="the key" />
      </td>
      <td className="value">
        {isOpen ? (
          <Json value={parsed(valueJson)} name="the value" />
        ) : (
          <code className="breaks">{shownShort(valueJson, 160)}</code>
        )}
        {valueJson.length > 60 && (
          <button type="button" className="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? "Less" : `All ${valueJson.length.toLocaleString()} characters`}
          </button>
        )}
      </td>
      <td data-name="Changed">
        <Moment at={updatedAtMs} />
      </td>
      <td data-name="Expires">
        {ttlMs === undefined ? <span className="hint">never</span> : <Moment at={updatedAtMs + ttlMs} />}
      </td>
    </tr>
  );
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}
