/** Label sets of one metric beyond this many share one series, whose labels all say `other`. */
export const MOST_SERIES = 200;

/** Characters of a label's value; the rest is cut off. */
const LONGEST_VALUE = 120;

/** Values by label name. An absent or empty value leaves the label out. Metrics without labels take none. */
export type Labels<Name extends string> = [Name] extends [never]
  ? undefined
  : Readonly<Partial<Record<Name, string>>>;

type LabelTexts = Readonly<Partial<Record<string, string>>>;

export type LabelPairs = readonly (readonly [name: string, value: string])[];

/** One line of the exposition, without the metric's name. */
export interface Sample {
  readonly suffix: "" | "_bucket" | "_sum" | "_count";
  readonly labels: LabelPairs;
  readonly value: number;
}

/** The part of every kind of metric that its printer uses. */
export interface Metric {
  /** `service_…` */
  readonly name: string;
  /** One sentence. */
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Names that its labels may have, `le` aside. */
  readonly labelNames: readonly string[];
  samples(): Sample[];
}

/** The labels that distinguish a metric's series. */
export interface SeriesOptions<Name extends string> {
  /** All names that its labels may have. @default none */
  readonly labels?: readonly Name[];
  /** Label sets that are shown at zero from the start. @default none: one series without labels is */
  readonly known?: readonly Readonly<Partial<Record<Name, string>>>[];
}

/**
 * The series of one metric: one without labels, which exists from the start so
 * that the metric can be seen before it is used, and one for each set of labels;
 * those of the sets that are known beforehand exist from the start instead.
 */
export class SeriesSet<Cell> {
  readonly #newCell: () => Cell;
  readonly #plain: Cell;
  #plainUsed = false;
  readonly #labelled = new Map<string, { labels: LabelPairs; cell: Cell }>();

  constructor(newCell: () => Cell, known: readonly LabelTexts[] = []) {
    this.#newCell = newCell;
    this.#plain = newCell();
    for (const labels of known) this.at(labels);
  }

  /** The cell to record in; made if need be. */
  at(labels: LabelTexts | undefined): Cell {
    if (labels === undefined) {
      this.#plainUsed = true;
      return this.#plain;
    }
    const pairs = toPairs(labels);
    if (pairs.length === 0) return this.at(undefined);
    const key = JSON.stringify(pairs);
    const known = this.#labelled.get(key);
    if (known !== undefined) return known.cell;
    if (this.#labelled.size < MOST_SERIES) return this.#add(key, pairs);
    const other: LabelPairs = pairs.map(([name]) => [name, "other"]);
    const otherKey = JSON.stringify(other);
    return this.#labelled.get(otherKey)?.cell ?? this.#add(otherKey, other);
  }

  /** The cell to read; undefined when nothing has been recorded with these labels. */
  peek(labels: Labels<string> | undefined): Cell | undefined {
    const pairs = labels === undefined ? [] : toPairs(labels);
    return pairs.length === 0 ? this.#plain : this.#labelled.get(JSON.stringify(pairs))?.cell;
  }

  /** An unused series without labels is shown only while there is no other. */
  list(): { labels: LabelPairs; cell: Cell }[] {
    const labelled = [...this.#labelled.values()];
    if (labelled.length > 0 && !this.#plainUsed) return labelled;
    return [{ labels: [], cell: this.#plain }, ...labelled];
  }

  #add(key: string, labels: LabelPairs): Cell {
    const cell = this.#newCell();
    this.#labelled.set(key, { labels, cell });
    return cell;
  }
}

/** Sorted by name, so that the order in which a caller names labels makes no difference. */
function toPairs(labels: LabelTexts): LabelPairs {
  const pairs: [string, string][] = [];
  for (const name of Object.keys(labels).sort()) {
    const value = labels[name];
    if (value !== undefined && value !== "") pairs.push([name, value.slice(0, LONGEST_VALUE)]);
  }
  return pairs;
}
