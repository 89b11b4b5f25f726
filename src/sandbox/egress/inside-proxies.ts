import { connect, createServer } from "node:net";
import { z } from "zod";
import { once } from "../../util/once.js";

/** Ways out of a sandbox without a network: each socket leads to one proxy. */
export const insideProxies = once(() =>
  z.array(
    z.object({
      socket: z.string(),
      /** Variables that name the proxy. */
      variables: z.array(z.string()),
      /** `user:password@` of the proxy's address, or nothing. */
      credentials: z.string(),
    }),
  ),
);

export type InsideProxy = z.infer<ReturnType<typeof insideProxies>>[number];

/** Listens on loopback for each proxy, and names the addresses in this process's environment. */
export async function openProxies(proxies: readonly InsideProxy[]): Promise<void> {
  for (const { socket, variables, credentials } of proxies) {
    const server = createServer((client) => {
      const way = connect(socket);
      way.on("error", () => client.destroy());
      client.on("error", () => way.destroy());
      client.pipe(way).pipe(client);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    server.unref();
    const address = server.address() as { port: number };
    for (const variable of variables) {
      process.env[variable] = `http://${credentials}127.0.0.1:${address.port}`;
    }
  }
}
