import {
  type LabelPairs,
  type Labels,
  type Metric,
  type Sample,
  type SeriesOptions,
  SeriesSet,
} from "./series.js";

interface Distribution {
  /** How many values fell into each bucket alone; the last one has no upper bound. */
  readonly counts: number[];
  sum: number;
  count: number;
}

interface HistogramOptions<Name extends string> extends SeriesOptions<Name> {
  /** Upper bounds, ascending and inclusive. */
  readonly bounds: readonly number[];
}

/** How values are spread over buckets, their number and their sum. */
export class Histogram<Name extends string = never> implements Metric {
  readonly type = "histogram";
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending and inclusive. */
  readonly bounds: readonly number[];
  readonly labelNames: readonly Name[];
  readonly #series: SeriesSet<Distribution>;

  constructor(name: string, help: string, { bounds, labels = [], known }: HistogramOptions<Name>) {
    this.name = name;
    this.help = help;
    this.bounds = bounds;
    this.labelNames = labels;
    this.#series = new SeriesSet(
      () => ({ counts: Array(bounds.length + 1).fill(0), sum: 0, count: 0 }),
      known,
    );
  }

  /** Values that are not finite are dropped; one below 0, as from a clock that was set back, counts as 0. */
  observe(value: number, labels?: Labels<Name>): void {
    if (!Number.isFinite(value)) return;
    const { bounds } = this;
    const cell = this.#series.at(labels);
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket += 1;
    cell.counts[bucket] = (cell.counts[bucket] as number) + 1;
    cell.count += 1;
    if (value > 0) cell.sum += value;
  }

  count(labels?: Labels<Name>): number {
    return this.#series.peek(labels)?.count ?? 0;
  }

  sum(labels?: Labels<Name>): number {
    return this.#series.peek(labels)?.sum ?? 0;
  }

  samples(): Sample[] {
    return this.#series.list().flatMap(({ labels, cell }) => this.#samplesOf(labels, cell));
  }

  /** Buckets are cumulative: each counts everything up to its bound. */
  #samplesOf(labels: LabelPairs, { counts, sum, count }: Distribution): Sample[] {
    let upTo = 0;
    const buckets = counts.map((own, index): Sample => {
      upTo += own;
      const bound = this.bounds[index];
      const le = bound === undefined ? "+Inf" : String(bound);
      return { suffix: "_bucket", labels: [...labels, ["le", le]], value: upTo };
    });
    return [...buckets, { suffix: "_sum", labels, value: sum }, { suffix: "_count", labels, value: count }];
  }
}
