import { ClientError, type GatewayClient, type WorkspaceChange } from "../client/index.js";

/** After which time a stream that broke off is tried again, milliseconds: a gateway may have none, or a token may not have it. */
const AGAIN_MS = 15_000;

/** Changes in the gateway's lists, followed as long as a component shows one of them. */
export class WorkspaceNews {
  readonly #client: GatewayClient;
  readonly #onChange: (change: WorkspaceChange) => void;
  #following: AbortController | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #forget: (() => void) | undefined;
  #hasBegun = false;

  constructor(client: GatewayClient, onChange: (change: WorkspaceChange) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** Whether changes are heard of without a look. */
  get isLive(): boolean {
    return this.#hasBegun && this.#client.connection.status === "open";
  }

  begin(): void {
    if (this.#following !== undefined) return;
    this.#following = new AbortController();
    this.#forget = this.#client.onConnection(() => {
      if (!this.#hasBegun || this.isLive) return;
      this.#hasBegun = false;
      // Looks by time begin.
      this.#onChange({ kind: "all", ids: null });
    });
    void this.#follow(this.#following);
  }

  end(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#hasBegun = false;
    this.#forget?.();
    clearTimeout(this.#again);
  }

  /** Never rejects: without the stream, it is looked by time. */
  async #follow(stop: AbortController): Promise<void> {
    try {
      for await (const change of this.#client.changes({ signal: stop.signal })) {
        if (this.#following !== stop) return;
        this.#hasBegun = true;
        this.#onChange(change);
      }
    } catch (error) {
      if (ClientError.is(error) && error.code === "CLIENT_CLOSED") stop.abort();
    }
    if (this.#following !== stop || stop.signal.aborted) return;
    this.#hasBegun = false;
    this.#again = setTimeout(() => void this.#follow(stop), AGAIN_MS);
  }
}
