/** @jsxImportSource react */

/** Forms of boxes and lines, by their corners and their dashes. */
const BOXES: readonly (readonly [text: string, corners: number])[] = [
  ["a task", 3],
  ["a person is asked", 8],
  ["waits for time, a signal or an event", 11],
];

/** What the forms of the graph mean; states are written in their boxes. */
export function Legend() {
  return (
    <details className="graph-legend">
      <summary>Legend</summary>
      <ul>
        {BOXES.map(([text, corners]) => (
          <li key={text}>
            <svg width={36} height={24} aria-hidden="true">
              <rect className="graph-box" x={1} y={1} width={34} height={22} rx={corners} />
            </svg>
            {text}
          </li>
        ))}
        <li>
          <svg width={36} height={24} aria-hidden="true">
            <rect className="graph-box" x={4} y={4} width={31} height={19} rx={3} />
            <rect className="graph-box" x={1} y={1} width={31} height={19} rx={3} />
          </svg>
          a folded group: open it
        </li>
        <li>
          <svg width={36} height={24} className="graph-edge" aria-hidden="true">
            <path d="M1 12H35" />
          </svg>
          one after the other; a press shows the row
        </li>
        <li>
          <svg width={36} height={24} className="graph-edge dashed" aria-hidden="true">
            <path d="M1 12H35" />
          </svg>
          again, on error, needs, skipped, or the side that was not chosen
        </li>
      </ul>
    </details>
  );
}
