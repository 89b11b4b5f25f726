/** @jsxImportSource react */
import { shownShort } from "../../parts/text.js";

/** Lines that are drawn at once. */
const MOST = 50;

/** Tasks of a preview under what becomes of them; nothing where there is none. */
export function KeyList({ text, keys }: { text: string; keys: readonly string[] }) {
  if (keys.length === 0) return null;
  return (
    <>
      <p>
        {text} ({keys.length}):
      </p>
      <ul className="short-list">
        {keys.slice(0, MOST).map((key) => (
          <li key={key}>
            <code>{shownShort(key)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
