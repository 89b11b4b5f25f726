import { request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import {
  Gateway,
  type GatewayListenOptions,
  type GatewayOptions,
} from "../../../../src/hosts/gateway/index.js";
import { type Clock, systemClock } from "../../../../src/util/clock.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

export interface RpcAnswer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface OpenGateway {
  gateway: Gateway;
  server: Server;
  url: string;
  /** Its workspace. */
  folder: string;
  /** `POST /v1/rpc/<method>`. */
  rpc<T = Record<string, unknown>>(
    method: string,
    params?: unknown,
    headers?: Record<string, string>,
  ): Promise<RpcAnswer<T>>;
  /** The result of a method that succeeds. */
  call<T = Record<string, unknown>>(
    method: string,
    params?: unknown,
    headers?: Record<string, string>,
  ): Promise<T>;
  /** Once the run has come to this status. */
  until(runId: string, status: string, headers?: Record<string, string>): Promise<Record<string, unknown>>;
}

export interface OpenOptions extends GatewayOptions {
  /** The workspace. @default a fresh folder */
  folder?: string;
  listen?: GatewayListenOptions;
  /** @default the machine's clock */
  clock?: Clock;
}

/** A gateway at a free port of this machine, closed with the test. */
export async function openGateway(
  register: (gateway: Gateway, folder: string) => void,
  { folder = temporaryFolder(), listen = { port: 0 }, clock = systemClock, ...options }: OpenOptions = {},
): Promise<OpenGateway> {
  const gateway = new Gateway({ workspaceRoot: folder, ...options }, { clock });
  onTestFinished(() => gateway.close());
  register(gateway, folder);
  const server = await gateway.listen(listen);
  const address = server.address() as AddressInfo | string;
  const url = typeof address === "string" ? "http://socket" : `http://127.0.0.1:${address.port}`;
  const rpc: OpenGateway["rpc"] = async (method, params = {}, headers = {}) => {
    const response = await fetch(`${url}/v1/rpc/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(params),
    });
    return { status: response.status, headers: response.headers, body: await response.json() } as never;
  };
  const call: OpenGateway["call"] = async (method, params, headers) => {
    const { status, body } = await rpc(method, params, headers);
    expect({ method, status, body }).toMatchObject({ status: 200 });
    return body as never;
  };
  return {
    gateway,
    server,
    url,
    folder,
    rpc,
    call,
    async until(runId, status, headers) {
      await expect.poll(async () => (await call("getRun", { runId }, headers)).status).toBe(status);
      return call("getRun", { runId }, headers);
    },
  };
}

/** A request whose headers are the test's own, Host and Origin among them; fetch does not allow that. */
export function rawRequest(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
