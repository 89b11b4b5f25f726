/** @jsxImportSource react */
import { type FormEvent, useState } from "react";
import type { GatewayMethods } from "../../client/index.js";
import { useMethod } from "../../react/index.js";
import { useRefusal } from "../access/token.js";
import { Link, useRouter } from "../frame/router.js";
import { places } from "../frame/places.js";
import { Columns } from "../parts/Columns.js";
import { CopyButton } from "../parts/CopyButton.js";
import { Json } from "../parts/Json.js";
import { Moment } from "../parts/Moment.js";
import { Reading } from "../parts/Reading.js";
import { shownShort } from "../parts/text.js";

type Fact = GatewayMethods["listMemoryFacts"]["result"]["facts"][number];

const PAGE = 100;

/** Facts by namespace and key, and by a text that key or value has, a page at a time. */
export function MemoryFacts() {
  const { query, go } = useRouter();
  const named = (name: string) => query.get(name) ?? "";
  const [namespace, key, text] = [named("namespace"), named("key"), named("text")];
  const isAll = namespace === "" && key === "" && text === "";
  const [trail, setTrail] = useState<string[]>([]);
  const cursor = trail.at(-1);
  const { data, ...reading } = useMethod("listMemoryFacts", {
    ...(namespace !== "" && { namespace }),
    ...(key !== "" && { key }),
    ...(text !== "" && { text }),
    ...(cursor !== undefined && { cursor }),
    limit: PAGE,
  });
  useRefusal(reading.error);
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const word = (name: string) => String(given.get(name)).trim() || undefined;
    setTrail([]);
    go(places.memory({ namespace: word("namespace"), key: word("key"), text: word("text") }));
  };
  return (
    <>
      <form className="compare" onSubmit={search} key={`${namespace} ${key} ${text}`}>
        <label>
          Namespace
          <input name="namespace" defaultValue={namespace} placeholder="user:ada" />
        </label>
        <label>
          Key
          <input name="key" defaultValue={key} placeholder="any" />
        </label>
        <label>
          Text
          <input name="text" defaultValue={text} placeholder="in a key or a value" />
        </label>
        <button type="submit" className="button">
          Find
        </button>
        {!isAll && (
          <Link className="plain" to={places.memory()} onClick={() => setTrail([])}>
            Show all
          </Link>
        )}
      </form>
      <Reading {...reading} />
      {data?.facts.length === 0 && (
        <div className="empty">
          <p>{isAll ? "No fact is remembered yet." : "No such fact is remembered."}</p>
        </div>
      )}
      {data !== undefined && data.facts.length > 0 && (
        <table className="table lines">
          <Columns names={["Namespace", "Key", "Value", "Changed", "Expires"]} />
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
