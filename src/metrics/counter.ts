import { type Labels, type Metric, type Sample, type SeriesOptions, SeriesSet } from "./series.js";

/** A number that only grows while the process lives. */
export class Counter<Name extends string = never> implements Metric {
  readonly type = "counter";
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

  /** @param by what is added; anything but a finite number of at least 0 is dropped. @default 1 */
  add(by = 1, labels?: Labels<Name>): void {
    if (by >= 0 && by < Number.POSITIVE_INFINITY) this.#series.at(labels).value += by;
  }

  value(labels?: Labels<Name>): number {
    return this.#series.peek(labels)?.value ?? 0;
  }

  samples(): Sample[] {
    return this.#series.list().map(({ labels, cell }) => ({ suffix: "", labels, value: cell.value }));
  }
}
