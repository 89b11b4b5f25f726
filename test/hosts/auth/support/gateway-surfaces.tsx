import type { Gateway } from "../../../../src/hosts/gateway/index.js";
import { openGateway } from "../../gateway/support/gateway.js";
import { asking } from "../../gateway/support/workflows.js";
import type { Kit } from "./credentials.js";
import { pageSurfaces } from "./page-surfaces.js";
import { socketSurface } from "./socket-surfaces.js";
import { registerHook, webhookSurfaces } from "./webhook-surfaces.js";
import { ANY_GRANT, httpSurface, SECRET, type Surface, USUAL } from "./surface.js";

const LIST = { name: "listRuns", params: {} };
/** Credentials that are not valid close the connection; an origin that is not, never gets one. */
const SOCKET = { ...USUAL, none: 4401, wrong: 4401, expired: 4401, revoked: 4401 };

const RUN = `run-${SECRET}`;

/** Every place where a gateway answers, of one that has a run. */
export async function gatewaySurfaces({ auth }: Kit): Promise<Surface[]> {
  const { url } = await openGateway(registerAll, { auth });
  const rpc = (name: string, method: string, params: object, statuses = USUAL) =>
    httpSurface(`RPC: ${name}`, `${url}/v1/rpc/${method}`, { body: params, statuses });
  const unknown = { ...USUAL, "wrong scope": 404, right: 404 };
  return [
    rpc("a start", "launchRun", { workflow: SECRET, runId: RUN }),
    rpc("a list", "listRuns", {}),
    rpc("the gateway itself", "health", {}, ANY_GRANT),
    rpc("a query of an extension", `ext.own.look`, {}),
    rpc("an action of an extension", `ext.own.act`, {}),
    rpc("a method that there is not", "nothing", {}, unknown),
    socketSurface("WebSocket: connect", url, {
      inConnect: true,
      statuses: { ...SOCKET, "wrong scope": 200 },
    }),
    socketSurface("WebSocket: a list", url, { inConnect: false, statuses: SOCKET, method: LIST }),
    socketSurface("WebSocket: the events of a run", url, {
      inConnect: true,
      statuses: SOCKET,
      method: { name: "streamRunEvents", params: { runId: RUN } },
    }),
    socketSurface("WebSocket: the changes of the workspace", url, {
      inConnect: true,
      statuses: SOCKET,
      method: { name: "streamWorkspace", params: {} },
    }),
    httpSurface("/rpc", `${url}/rpc`, { body: { id: 1, method: "listRuns" } }),
    ...webhookSurfaces(url),
    ...(await pageSurfaces(url)),
    httpSurface("/metrics", `${url}/metrics`),
    httpSurface("/workflows", `${url}/workflows`),
    httpSurface("a path that there is not", `${url}/nothing`, { statuses: unknown }),
  ];
}

function registerAll(gateway: Gateway, folder: string): void {
  registerHook(gateway, folder);
  const handler = () => ({ said: SECRET });
  gateway
    .register(SECRET, asking(folder))
    .extend("own", { queries: { look: { handler } }, actions: { act: { handler } } });
}
