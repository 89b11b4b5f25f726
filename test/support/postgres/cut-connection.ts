import { connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server, and cuts the connection when it is told to. */
export interface Cutter {
  readonly url: string;
  /** The next message of a client that has this text: it is the last, whether or not it reaches the server. */
  cutAt(text: string, reaches: "server" | "nobody"): void;
  /** Cuts all connections; those of later lead to another server, as those through an address that has moved. */
  leadTo(server: string): void;
  close(): void;
}

export async function startCutter(server: string): Promise<Cutter> {
  let target = new URL(server);
  let order: { text: string; reaches: "server" | "nobody" } | undefined;
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
    client.on("data", (data) => {
      if (order === undefined || !data.includes(order.text)) {
        upstream.write(data);
        return;
      }
      const { reaches } = order;
      order = undefined;
      isOver = true;
      if (reaches === "nobody") client.destroy();
      // Its answer says that the server is done; the client does not get it.
      else upstream.write(data, () => upstream.once("data", () => setTimeout(() => client.destroy(), 50)));
    });
    upstream.on("data", (data) => {
      if (!isOver) client.write(data);
    });
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const url = new URL(server);
  url.port = String((between.address() as { port: number }).port);
  return {
    url: url.href,
    cutAt(text, reaches) {
      order = { text, reaches };
    },
    leadTo(next) {
      target = new URL(next);
      for (const socket of sockets) socket.destroy();
    },
    close() {
      between.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
