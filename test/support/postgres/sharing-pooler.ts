import { connect, createServer, type Socket } from "node:net";

/** Lends its one session to whoever asks, as PgBouncer does in transaction mode. */
export interface SharingPooler {
  readonly url: string;
  close(): void;
}

const READY = Buffer.from("Z\0\0\0\x05I", "latin1");
const OWN_ID = "K\0\0\0\x0c";
const END = "X".charCodeAt(0);

export async function startSharingPooler(server: string): Promise<SharingPooler> {
  const target = new URL(server);
  const upstream = connect(Number(target.port), target.hostname);
  const clients = new Set<Socket>();
  let welcome: Promise<Buffer> | undefined;
  let asker: Socket | undefined;
  upstream.on("data", (data) => asker?.write(data));
  const between = createServer((client) => {
    clients.add(client);
    client.on("error", () => {});
    client.once("data", async (startup) => {
      welcome ??= greet(upstream, startup);
      client.write(await welcome);
      client.on("data", (data) => {
        if (data[0] === END) return;
        asker = client;
        upstream.write(data);
      });
    });
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  const url = new URL(server);
  url.port = String((between.address() as { port: number }).port);
  return {
    url: url.href,
    close() {
      between.close();
      for (const socket of [upstream, ...clients]) socket.destroy();
    },
  };
}

/** What the server says to a new connection, with an id of the session that is made up. */
function greet(upstream: Socket, startup: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    let said = Buffer.alloc(0);
    const listen = (data: Buffer) => {
      said = Buffer.concat([said, data]);
      if (!said.subarray(-READY.length).equals(READY)) return;
      upstream.off("data", listen);
      said.writeInt32BE(-1, said.indexOf(OWN_ID, 0, "latin1") + OWN_ID.length);
      resolve(said);
    };
    upstream.on("data", listen);
    upstream.write(startup);
  });
}
