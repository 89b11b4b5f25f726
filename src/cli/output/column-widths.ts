/** A column that is cut to less says nothing any more. */
const LEAST = 6;

export interface ColumnNeed {
  /** Its widest cell. */
  natural: number;
  /** It is cut only where the others have nothing left to give. */
  isName: boolean;
}

/** The widths of columns that share `room`: the widest one gives first. */
export function columnWidths(columns: readonly ColumnNeed[], room: number): number[] {
  const widths = columns.map(({ natural }) => Math.min(natural, Math.max(room, LEAST)));
  for (const givesNames of [false, true]) {
    let excess = widths.reduce((sum, width) => sum + width, 0) - room;
    while (excess > 0) {
      const widest = Math.max(...widths.filter((_, index) => columns[index]?.isName === givesNames));
      if (widest <= LEAST) break;
      const index = widths.findIndex((width, at) => width === widest && columns[at]?.isName === givesNames);
      widths[index] = widest - 1;
      excess--;
    }
  }
  return widths;
}
