/** @jsxImportSource react */

/** The heads of a table's columns; `>` before a name puts it to the end, as numbers stand. */
export function Columns({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} className={name.startsWith(">") ? "end" : undefined}>
            {name.replace(/^>/, "")}
          </th>
        ))}
      </tr>
    </thead>
  );
}
