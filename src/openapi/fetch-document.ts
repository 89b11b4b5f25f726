import { type HttpAnswer, sendGuarded } from "../network/send-guarded.js";
import { MOST_BYTES, MOST_WIRE_BYTES } from "./document-limits.js";
import { RedirectRefused } from "./redirect-refused.js";

export interface FetchedDocument {
  readonly answer: HttpAnswer;
  /** Undefined when it is larger than a document may be. */
  readonly text: string | undefined;
  /** Address of the answer, after redirects. */
  readonly from: URL;
}

const MOST_REDIRECTS = 20;
const ACCEPT = "application/json, application/yaml, text/yaml, */*;q=0.5";

/** Downloads a document, counting bytes as they arrive and as they unpack. */
export async function fetchDocument(url: URL, signal: AbortSignal): Promise<FetchedDocument> {
  let from = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const answer = await sendGuarded(
      { url: from, method: "GET", headers: new Headers({ accept: ACCEPT }) },
      { signal, refused: "metadata", maxWireBytes: MOST_WIRE_BYTES },
    );
    const location = answer.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(answer.status)) {
      return { answer, from, text: await boundedText(answer) };
    }
    answer.body.destroy();
    if (!URL.canParse(location, from.href) || !/^https?:$/.test(new URL(location, from).protocol)) {
      throw new RedirectRefused("it redirects to an address that cannot be followed");
    }
    from = new URL(location, from);
  }
  throw new RedirectRefused(`it redirects more than ${MOST_REDIRECTS} times`);
}

async function boundedText({ body }: HttpAnswer): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the connection.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
