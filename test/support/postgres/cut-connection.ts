import { connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server, and cuts the connection when it is told to. */
export interface Cutter {
  readonly url: string;
  /** Connections so far. */
  readonly made: number;
  /** Orders of `cutAt` that were carried out. */
  readonly cuts: number;
  /** The next messages of clients that have this text, one unless told: they are the last of their connections, whether or not they reach the server. */
  cutAt(text: string, reaches: "server" | "nobody", times?: number): void;
  /** The server has said this to a client, from now on. */
  heard(text: string): Promise<void>;
  /** Cuts all connections; those of later lead to another server, as those through an address that has moved. */
  leadTo(server: string): void;
  /** From now on nothing goes through, in either direction, and nobody is told: as where the other machine has vanished. */
  vanish(): void;
  /** All goes through again, of connections that are made from now on. */
  reappear(): void;
  close(): void;
}

export async function startCutter(server: string): Promise<Cutter> {
  let target = new URL(server);
  let order: { text: string; reaches: "server" | "nobody"; times: number } | undefined;
  let hasVanished = false;
  const awaited = new Map<string, () => void>();
  /** Connections of before a vanishing stay silent. */
  let vanishings = 0;
  let made = 0;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const between = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    let isOver = false;
    const before = vanishings;
    made += 1;
    const isStill = () => isOver || hasVanished || before !== vanishings;
    client.on("data", (data) => {
      if (isStill()) return;
      if (order === undefined || !data.includes(order.text)) {
        upstream.write(data);
        return;
      }
      const { reaches } = order;
      order.times -= 1;
      if (order.times === 0) order = undefined;
      isOver = true;
      cuts += 1;
      if (reaches === "nobody") client.destroy();
      // Its answer says that the server is done; the client does not get it.
      else upstream.write(data, () => upstream.once("data", () => setTimeout(() => client.destroy(), 50)));
    });
    upstream.on("data", (data) => {
      if (isStill()) return;
      client.write(data);
      for (const [text, resolve] of awaited) if (data.includes(text)) resolve();
    });
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const url = new URL(server);
  url.port = String((between.address() as { port: number }).port);
  return {
    url: url.href,
    get made() {
      return made;
    },
    get cuts() {
      return cuts;
    },
    cutAt(text, reaches, times = 1) {
      order = { text, reaches, times };
    },
    heard: (text) => new Promise((resolve) => awaited.set(text, resolve)),
    leadTo(next) {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    vanish() {
      hasVanished = true;
      vanishings += 1;
    },
    reappear() {
      hasVanished = false;
    },
    close() {
      between.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
