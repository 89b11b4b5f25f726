import type { ChangedKind, Store } from "../../store/index.js";

const KINDS: readonly ChangedKind[] = ["runs", "approvals", "schedules"];

/** The rows of a database's lists when they were last looked at. */
export class ListedRows {
  #known: Record<ChangedKind, ReadonlyMap<string, string>> | undefined;
  #runs = 0;
  #newestNo = Number.MAX_SAFE_INTEGER;

  /** The ids of what differs from the look before, by kind; null: any. Nothing for the first look. */
  async changes(store: Store): Promise<Map<ChangedKind, readonly string[] | null>> {
    const marks = await store.changeMarks(this.#newestNo);
    const found = { runs: new Map<string, string>(), approvals: new Map(), schedules: new Map() };
    const ended: string[] = [];
    let fresh = 0;
    let runs = 0;
    let newestNo = 0;
    for (const { kind, id, mark, no } of marks) {
      if (kind === "count") [runs, newestNo] = [Number(mark), no];
      else {
        if (no > this.#newestNo) fresh += 1;
        if (kind === "ended") ended.push(id);
        else found[kind].set(id, `${found[kind].get(id) ?? ""}\n${mark}`);
      }
    }
    const known = this.#known;
    const changes = new Map<ChangedKind, readonly string[] | null>();
    if (known !== undefined) {
      for (const kind of KINDS) {
        const ids = differing(known[kind], found[kind]);
        if (kind === "runs") ids.push(...ended);
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
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const ids = [...after].filter(([id, mark]) => before.get(id) !== mark).map(([id]) => id);
  for (const id of before.keys()) if (!after.has(id)) ids.push(id);
  return ids;
}
