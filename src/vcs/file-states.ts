import { realPath } from "../process/workspace-state.js";
import { ServiceError } from "../errors/service-error.js";
import { type Repository, repositoryAround } from "./find-repository.js";
import { type FileState, recordSignal, type RecordRequest } from "./file-state.js";
import { recordGit, type StateChain } from "./git-state.js";
import { recordJj } from "./jj-state.js";
import { newStateRef } from "./state-refs.js";
import { NotRecorded } from "./working-tree.js";

/** Switched off for a whole process with `0`, whatever its runs say. */
const SWITCH = "SERVICE_RECORD_VCS";
/** Runs whose last state is remembered; of one that is forgotten a new chain begins. */
const MOST_CHAINS = 64;

/** A state, why there is none, or undefined where there is nothing to record. */
export type Recorded = { state: FileState } | { reason: string } | undefined;

/** Records the files that tasks work on. States of one repository are recorded one after the other. */
export class FileStates {
  readonly #chains = new Map<string, StateChain>();
  readonly #queues = new Map<string, Promise<unknown>>();

  /** Whether files of a folder are recorded at all: it is in a repository, and nothing forbids it. */
  covers({ folder, hidden }: Pick<RecordRequest, "folder" | "hidden">): boolean {
    if (process.env[SWITCH] === "0") return false;
    const real = realPath(folder);
    return (
      !hidden.some((path) => real === path || real.startsWith(`${path}/`)) &&
      repositoryAround(real) !== undefined
    );
  }

  /** Never fails: what keeps a state from being recorded is its reason. */
  async record(request: RecordRequest): Promise<Recorded> {
    const folder = realPath(request.folder);
    const repository = repositoryAround(folder);
    if (repository === undefined) return undefined;
    try {
      return { state: await this.#inTurn(repository, { ...request, folder, signal: recordSignal(request) }) };
    } catch (error) {
      if (error instanceof NotRecorded) return { reason: error.message };
      if (ServiceError.is(error, "PROCESS_TIMEOUT")) return { reason: error.summary };
      if (error instanceof DOMException && error.name === "TimeoutError")
        return { reason: "it took too long" };
      return { reason: error instanceof Error ? error.message : String(error) };
    }
  }

  #inTurn(repository: Repository, request: RecordRequest): Promise<FileState> {
    const { kind, root } = repository;
    const work = () => {
      request.signal?.throwIfAborted();
      return kind === "jj"
        ? recordJj(root, request)
        : recordGit(root, this.#chainOf(root, request.runId), request);
    };
    const before = this.#queues.get(root) ?? Promise.resolve();
    const turn = before.then(work, work);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#queues.set(root, settled);
    void settled.then(() => {
      if (this.#queues.get(root) === settled) this.#queues.delete(root);
    });
    return turn;
  }

  #chainOf(root: string, runId: string): StateChain {
    const key = `${runId}\n${root}`;
    const chain = this.#chains.get(key) ?? { ref: newStateRef(runId), last: null };
    // The one used last is the youngest.
    this.#chains.delete(key);
    this.#chains.set(key, chain);
    const [oldest] = this.#chains.keys();
    if (this.#chains.size > MOST_CHAINS && oldest !== undefined) this.#chains.delete(oldest);
    return chain;
  }
}
