import type { ChangedKind, Store } from "../../store/index.js";

const KINDS: readonly ChangedKind[] = ["runs", "approvals", "schedules", "webhooks"];

/** Ended runs whose epoch is remembered. */
const MOST_ENDED = 1_000;

/** The rows of a database's lists when they were last looked at. */
export class ListedRows {
  #known: Record<ChangedKind, ReadonlyMap<string, string>> | undefined;
  #runs = 0;
  #newestNo = Number.MAX_SAFE_INTEGER;
  /** The epoch of ended runs when that was last named. A run that is continued after its end has a later one. */
  readonly #endedAt = new Map<string, string>();

  /**
   * The ids of what differs from the look before, by kind; null: any. Nothing for the first look.
   * @param written runs that were written to since: one that had ended can have begun and ended again, which no mark shows
   */
  async changes(
    store: Store,
    written: ReadonlySet<string> = new Set(),
  ): Promise<Map<ChangedKind, readonly string[] | null>> {
    const marks = await store.changeMarks(this.#newestNo);
    const found = {
      runs: new Map<string, string>(),
      approvals: new Map(),
      schedules: new Map(),
      webhooks: new Map(),
    };
    const ended: string[] = [];
    let fresh = 0;
    let runs = 0;
    let newestNo = 0;
    for (const { kind, id, mark, no } of marks) {
      if (kind === "count") [runs, newestNo] = [Number(mark), no];
      else {
        if (no > this.#newestNo) fresh += 1;
        if (kind === "ended") {
          ended.push(id);
          this.#end(id, mark);
        } else found[kind].set(id, `${found[kind].get(id) ?? ""}\n${mark}`);
      }
    }
    const known = this.#known;
    const changes = new Map<ChangedKind, readonly string[] | null>();
    if (known !== undefined) {
      for (const kind of KINDS) {
        const ids = differing(known[kind], found[kind]);
        if (kind === "runs") {
          for (const [id, mark] of known.runs) if (!found.runs.has(id)) this.#end(id, epochOf(mark));
          ids.push(
            ...ended,
            ...(await this.#continued(
              store,
              [...written].filter((id) => !found.runs.has(id)),
            )),
          );
        }
        if (ids.length > 0) changes.set(kind, ids);
      }
      // Some that had ended were deleted: they have no marks that could be gone.
      if (runs !== this.#runs + fresh) changes.set("runs", null);
    }
    this.#known = found;
    this.#runs = runs;
    this.#newestNo = newestNo;
    return changes;
  }

  /** Those of the ended runs that have been continued since their end was named. */
  async #continued(store: Store, runIds: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const runId of runIds) {
      const epoch = (await store.getRun(runId))?.epoch;
      if (epoch === undefined || this.#endedAt.get(runId) === String(epoch)) continue;
      this.#end(runId, String(epoch));
      found.push(runId);
    }
    return found;
  }

  #end(runId: string, epoch: string): void {
    this.#endedAt.delete(runId);
    this.#endedAt.set(runId, epoch);
    const [oldest] = this.#endedAt.keys();
    if (this.#endedAt.size > MOST_ENDED && oldest !== undefined) this.#endedAt.delete(oldest);
  }
}

function epochOf(mark: string): string {
  return mark.trim().split(" ")[2] ?? "";
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const ids = [...after].filter(([id, mark]) => before.get(id) !== mark).map(([id]) => id);
  for (const id of before.keys()) if (!after.has(id)) ids.push(id);
  return ids;
}
