import { mkdir, open, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import type { SandboxPort } from "../../model/sandbox-access.js";
import { ServiceError } from "../../errors/service-error.js";
import { GO } from "./inside-ports.js";
import { join } from "./joined.js";

/** Connections from inside that wait for a client, and clients that wait for one: more of a port are closed. */
const MOST_WAITING = 64;

/** The ports of one sandbox, while it runs. */
export interface OpenPorts {
  /** Folder with the sockets, which the sandbox reads. */
  readonly folder: string;
  close(): Promise<void>;
}

/**
 * Opens ports of this machine's loopback that lead to ports inside. The process inside connects to a socket in a folder and
 * waits there for a client: so nothing that is made inside is ever opened from here.
 * @param folder is made, and removed with the ports
 * @throws SANDBOX_EXECUTION_FAILED for a port that is taken or not allowed
 */
export async function openPorts(ports: readonly SandboxPort[], folder: string): Promise<OpenPorts> {
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
    for (const port of ports) {
      const pairs = new Pairs(sockets);
      const inner = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
        pairs.fromInside(socket),
      );
      const outer = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) =>
        pairs.fromOutside(socket),
      );
      servers.push(inner, outer);
      await listening(inner, { path: `/proc/self/fd/${opened.fd}/${port.host}` });
      await listening(outer, { host: "127.0.0.1", port: port.host }).catch((cause: NodeJS.ErrnoException) => {
        throw notOpened(port, cause);
      });
    }
    return { folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Joins the clients of one port with connections from inside, in the order of their coming. */
class Pairs {
  readonly #all: Set<Socket>;
  readonly #inside: Socket[] = [];
  readonly #outside: Socket[] = [];

  constructor(all: Set<Socket>) {
    this.#all = all;
  }

  fromInside(socket: Socket): void {
    this.#wait(socket, this.#inside);
  }

  fromOutside(socket: Socket): void {
    this.#wait(socket, this.#outside);
  }

  #wait(socket: Socket, waiting: Socket[]): void {
    this.#all.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#all.delete(socket);
      const at = waiting.indexOf(socket);
      if (at >= 0) waiting.splice(at, 1);
    });
    if (waiting.length >= MOST_WAITING) socket.destroy();
    else waiting.push(socket);
    this.#join();
  }

  #join(): void {
    while (this.#inside.length > 0 && this.#outside.length > 0) {
      const [inside, outside] = [this.#inside.shift(), this.#outside.shift()] as [Socket, Socket];
      inside.write(GO);
      join(inside, outside);
    }
  }
}

async function listening(
  server: Server,
  at: { path: string } | { host: string; port: number },
): Promise<void> {
  await new Promise<void>((done, fail) => {
    server.once("error", fail).listen(at, done);
  });
}

function notOpened({ host, container }: SandboxPort, cause: NodeJS.ErrnoException): ServiceError {
  return new ServiceError(
    "SANDBOX_EXECUTION_FAILED",
    `The port ${host} of 127.0.0.1, which is to lead to ${container} inside, cannot be opened (${cause.code ?? cause.message}): choose another one, or end what has it.`,
    { cause, details: { host, container } },
  );
}
