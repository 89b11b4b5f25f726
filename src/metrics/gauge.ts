import { type Labels, type Metric, type Sample, type SeriesOptions, SeriesSet } from "./series.js";

/** A number that goes up and down. */
export class Gauge<Name extends string = never> implements Metric {
  readonly type = "gauge";
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Name[];
  readonly #series: SeriesSet<{ value: number }>;

  constructor(name: string, help: string, { labels = [], known }: SeriesOptions<Name> = {}) {
    this.name = name;
    this.help = help;
    this.labelNames = labels;
    this.#series = new SeriesSet(() => ({ value: 0 }), known);
  }

  set(value: number, labels?: Labels<Name>): void {
    this.#series.at(labels).value = value;
  }

  /** @param by may be negative */
  add(by: number, labels?: Labels<Name>): void {
    this.#series.at(labels).value += by;
  }

  value(labels?: Labels<Name>): number {
    return this.#series.peek(labels)?.value ?? 0;
  }

  samples(): Sample[] {
    return this.#series.list().map(({ labels, cell }) => ({ suffix: "", labels, value: cell.value }));
  }
}
