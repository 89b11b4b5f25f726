import { onTestFinished } from "vitest";

export interface ServerSentEvent {
  id?: string;
  event?: string;
  data?: Record<string, unknown>;
}

/** One stream of server-sent events, read as the standard describes it. */
export interface EventReader {
  readonly headers: Headers;
  /** Reads on until an event of this name has come. */
  until(name: string): Promise<ServerSentEvent[]>;
  /** Every event from the first one on, once the stream has ended. */
  rest(): Promise<ServerSentEvent[]>;
  close(): void;
}

export async function readServerSentEvents(
  url: string,
  headers: Record<string, string>,
): Promise<EventReader> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(url, { headers, signal: stop.signal });
  const chunks = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  const events: ServerSentEvent[] = [];
  let text = "";
  const readOn = async (): Promise<boolean> => {
    const { value, done } = await chunks.read();
    if (done) return false;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    events.push(...blocks.map(parse).filter(({ event }) => event !== undefined));
    return true;
  };
  return {
    headers: response.headers,
    async until(name) {
      while (!events.some(({ event }) => event === name)) {
        if (!(await readOn())) throw new Error(`the stream ended before ${name}`);
      }
      return events;
    },
    async rest() {
      while (await readOn());
      return events;
    },
    close: () => stop.abort(),
  };
}

function parse(block: string): ServerSentEvent {
  const fields = block
    .split("\n")
    .filter((line) => !line.startsWith(":"))
    .map((line) => /^(\w+): ?(.*)$/.exec(line) ?? [])
    .map(([, name = "", value = ""]) => [name, name === "data" ? JSON.parse(value) : value] as const);
  return Object.fromEntries(fields) as ServerSentEvent;
}
