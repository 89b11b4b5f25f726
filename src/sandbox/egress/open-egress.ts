import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { ensureError } from "../../errors/ensure-error.js";
import { ServiceError } from "../../errors/service-error.js";
import type { SandboxEgress } from "../../model/sandbox-access.js";
import type { InsideProxy } from "./inside-proxies.js";

/** Where the folder of the ways out stands inside. */
export const EGRESS_INSIDE = "/run/treadle-egress";
const CERTIFICATE = "ca.crt";
/** Connections of one way out at once; more are hung up on. Each takes two descriptors of this process, which the inside must not use up. */
const MOST_CONNECTIONS = 256;

/** The ways out of one sandbox, while it runs. */
export interface OpenEgress {
  /** Folder with the sockets and the certificate, which the sandbox reads. */
  readonly folder: string;
  /** Variables of its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** What the process inside makes addresses of. */
  readonly proxies: readonly InsideProxy[];
  close(): Promise<void>;
}

/** What of a request the ways out are about. */
interface Surroundings {
  readonly rootDir: string;
  readonly allowNetwork: boolean;
  /** Made for the sockets and the certificate, and removed with them. Beside the sandbox's files, so that those of a killed process go when they do. */
  readonly folder: string;
}

/**
 * Opens the ways out that a sandbox is given. With the network closed a proxy is reached through a socket in a folder, which
 * leads to that proxy and nowhere else; with an open one by its own address.
 * @throws SANDBOX_EXECUTION_FAILED when the certificate cannot be read
 */
export async function openEgress(
  egress: SandboxEgress,
  { rootDir, allowNetwork, folder }: Surroundings,
): Promise<OpenEgress> {
  await mkdir(folder, { mode: 0o700 });
  // The address of a socket is short, and the path of the folder need not be.
  const opened = await open(folder);
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const env: Record<string, string> = { ...egress.env };
    const certificate = await certificateOf(egress, rootDir);
    if (certificate !== undefined) {
      await writeFile(join(folder, CERTIFICATE), certificate);
      env["NODE_EXTRA_CA_CERTS"] = `${EGRESS_INSIDE}/${CERTIFICATE}`;
    }
    const noProxy = [egress.noProxy ?? []].flat().join(",");
    if (noProxy !== "") for (const variable of bothCases("NO_PROXY")) env[variable] = noProxy;
    const proxies: InsideProxy[] = [];
    for (const [name, address] of [
      ["HTTP_PROXY", egress.httpProxy],
      ["HTTPS_PROXY", egress.httpsProxy],
    ] as const) {
      if (address === undefined) continue;
      if (allowNetwork) {
        for (const variable of bothCases(name)) env[variable] = address;
        continue;
      }
      const url = new URL(address);
      servers.push(await wayTo(url, `/proc/self/fd/${opened.fd}/${name}`, sockets));
      const socket = `${EGRESS_INSIDE}/${name}`;
      proxies.push({ socket, variables: bothCases(name), credentials: credentialsOf(url) });
    }
    return { folder, env, proxies, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function certificateOf(
  { caCertPem, caCertPath }: SandboxEgress,
  rootDir: string,
): Promise<string | undefined> {
  if (caCertPath === undefined) return caCertPem;
  return readFile(resolve(rootDir, caCertPath), "utf8").catch((cause: unknown) => {
    throw new ServiceError(
      "SANDBOX_EXECUTION_FAILED",
      `The certificate ${JSON.stringify(caCertPath)} of the sandbox's egress cannot be read.`,
      { cause: ensureError(cause), retryable: false },
    );
  });
}

async function wayTo({ hostname, port }: URL, path: string, sockets: Set<Socket>): Promise<Server> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const server = createServer((client) => {
    const proxy = connect(Number(port === "" ? 80 : port), host);
    for (const [socket, other] of [
      [client, proxy],
      [proxy, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => sockets.delete(socket));
    }
    client.pipe(proxy).pipe(client);
  });
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen(path, done);
  });
  return server;
}

function credentialsOf({ username, password }: URL): string {
  return username === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
}

/** Programs differ in which one they look at. */
function bothCases(name: string): string[] {
  return [name, name.toLowerCase()];
}
