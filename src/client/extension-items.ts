import { ClientError } from "./client-error.js";
import { END, type Followed } from "./follow.js";
import { sentParams } from "./sent-params.js";

/** The items of a stream that a gateway's `extend` has added. They have no numbers: what is lost stays lost. */
export function extensionItems(method: string, given: object): Followed<unknown> {
  let isOpen = false;
  return {
    method,
    params() {
      if (isOpen) throw lostError(method);
      isOpen = true;
      return JSON.parse(sentParams(method, given)) as Record<string, unknown>;
    },
    read({ event, payload }) {
      if (event === "stream.end") return END;
      return event === "stream.item" ? [(payload as { item: unknown }).item] : [];
    },
  };
}

function lostError(method: string): ClientError {
  return new ClientError({
    code: "CLIENT_STREAM_LOST",
    message: `The stream ${method} broke off, or its reader fell behind by too many items; its items cannot be replayed. Open it again.`,
    details: { method },
  });
}
