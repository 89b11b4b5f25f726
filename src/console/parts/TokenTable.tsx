/** @jsxImportSource react */
import type { TokenSums, TokenTotals } from "../../operations/index.js";
import { shownShort } from "./text.js";

/** Tokens by model, and in all where there is more than one. */
export function TokenTable({ usage }: { usage: TokenTotals }) {
  const rows: (TokenSums & { name: string })[] = usage.models.map(({ model, ...sums }) => ({
    name: model ?? "unknown model",
    ...sums,
  }));
  if (rows.length > 1) rows.push({ ...usage, name: "All" });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <section className="table-scroll" tabIndex={0} aria-label="Tokens by model">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Calls</th>
            <th scope="col">Tokens in</th>
            <th scope="col">from cache</th>
            <th scope="col">to cache</th>
            <th scope="col">Tokens out</th>
            <th scope="col">reasoning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{shownShort(row.name, 60)}</th>
              <td className="number">{row.calls.toLocaleString()}</td>
              <td className="number">{row.inputTokens.toLocaleString()}</td>
              <td className="number">{row.cacheReadTokens.toLocaleString()}</td>
              <td className="number">{row.cacheWriteTokens.toLocaleString()}</td>
              <td className="number">{row.outputTokens.toLocaleString()}</td>
              <td className="number">{row.reasoningTokens.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
