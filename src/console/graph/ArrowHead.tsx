/** @jsxImportSource react */

/** What edges of a drawing end in; its picture has it once. */
export function ArrowHead() {
  return (
    <defs>
      <marker
        id="graph-arrow"
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto"
      >
        <path className="graph-arrow" d="M0 0.5L8 4L0 7.5z" />
      </marker>
    </defs>
  );
}
