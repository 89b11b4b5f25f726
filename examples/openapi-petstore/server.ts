import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { found, type OrderLine, type Owner, type Pet, PetStore, StoreProblem } from "./store.js";

export interface PetstoreServer {
  /** Base URL of the API, `http://127.0.0.1:<port>/v1`. */
  url: string;
  store: PetStore;
  /** `GET /v1/pets`, … in order of arrival. */
  calls: string[];
  close(): Promise<void>;
}

/**
 * Serves the API of `spec.yaml` on the loopback interface. Every request has to
 * carry `apiKey` in the header `X-Store-Key`.
 */
export async function startPetstore({ port = 0, apiKey = "demo-key" } = {}): Promise<PetstoreServer> {
  const store = new PetStore();
  const calls: string[] = [];
  const server = createServer(async (message, response) => {
    calls.push(`${message.method} ${message.url}`);
    const { status, body } = await answer(store, message, apiKey);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    store,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  status: number;
  body?: unknown;
}

async function answer(store: PetStore, message: IncomingMessage, apiKey: string): Promise<Answer> {
  try {
    if (message.headers["x-store-key"] !== apiKey)
      throw new StoreProblem(401, "The X-Store-Key is missing or wrong.");
    const url = new URL(message.url ?? "", "http://petstore");
    const route = ROUTES.find(({ method, path }) => method === message.method && path.test(url.pathname));
    if (route === undefined) throw new StoreProblem(404, `There is no ${message.method} ${url.pathname}.`);
    const text = await textOf(message);
    return route.handle(store, {
      id: decodeURIComponent(route.path.exec(url.pathname)?.[1] ?? ""),
      query: url.searchParams,
      body: text === "" ? undefined : JSON.parse(text),
      key: message.headers["idempotency-key"]?.toString(),
    });
  } catch (error) {
    const status = error instanceof StoreProblem ? error.httpStatus : 400;
    return { status, body: { detail: (error as Error).message } };
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message.setEncoding("utf8")) text += chunk;
  return text;
}

interface Call {
  /** The placeholder of the path. */
  id: string;
  query: URLSearchParams;
  body: unknown;
  /** The Idempotency-Key header. */
  key: string | undefined;
}

interface Route {
  method: string;
  path: RegExp;
  handle(store: PetStore, call: Call): Answer;
}

function route(method: string, path: string, handle: Route["handle"]): Route {
  return { method, path: new RegExp(`^/v1${path.replace(/\{\w+\}/, "([^/]+)")}$`), handle };
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const created = (body: unknown): Answer => ({ status: 201, body });
const gone: Answer = { status: 204 };

function firstOf<T>(entries: Iterable<T>, query: URLSearchParams): T[] {
  return [...entries].slice(0, Number(query.get("limit") ?? 20));
}

const ROUTES: Route[] = [
  route("GET", "/pets", ({ pets }, { query }) => {
    const status = query.get("status");
    const tags = query.get("tags")?.split(",") ?? [];
    const matches = [...pets.values()].filter(
      (pet) => (status === null || pet.status === status) && tags.every((tag) => pet.tags.includes(tag)),
    );
    return ok(firstOf(matches, query));
  }),
  route("POST", "/pets", (store, { body }) => created(store.addPet(body as Omit<Pet, "id" | "status">))),
  route("GET", "/pets/{petId}", ({ pets }, { id }) => ok(found(pets, Number(id), "pet"))),
  route("PATCH", "/pets/{petId}", ({ pets }, { id, body }) =>
    ok(Object.assign(found(pets, Number(id), "pet"), body)),
  ),
  route("DELETE", "/pets/{petId}", (store, { id }) => {
    store.removePet(Number(id));
    return gone;
  }),
  route("GET", "/pets/{petId}/visits", ({ visits }, { id }) => ok(visits.get(Number(id)) ?? [])),
  route("POST", "/pets/{petId}/visits", ({ pets, visits }, { id, body }) => {
    const pet = found(pets, Number(id), "pet");
    visits.set(pet.id, [...(visits.get(pet.id) ?? []), body]);
    return created(body);
  }),
  route("GET", "/owners", ({ owners }, { query }) => ok(firstOf(owners.values(), query))),
  route("POST", "/owners", (store, { body }) => created(store.addOwner(body as Omit<Owner, "id">))),
  route("GET", "/owners/{ownerId}", ({ owners }, { id }) => ok(found(owners, Number(id), "owner"))),
  route("PUT", "/owners/{ownerId}", ({ owners }, { id, body }) => {
    const replaced = { ...(body as Owner), id: found(owners, Number(id), "owner").id };
    owners.set(replaced.id, replaced);
    return ok(replaced);
  }),
  route("DELETE", "/owners/{ownerId}", (store, { id }) => {
    store.removeOwner(Number(id));
    return gone;
  }),
  route("GET", "/orders", ({ orders }, { query }) => {
    const ownerId = query.get("ownerId");
    const statuses = query.getAll("status");
    const isWanted = ({ ownerId: owner, status }: { ownerId: number; status: string }) =>
      (ownerId === null || owner === Number(ownerId)) && (statuses.length === 0 || statuses.includes(status));
    return ok([...orders.values()].filter(isWanted));
  }),
  route("POST", "/orders", (store, { body, key }) => {
    const { ownerId, lines } = body as { ownerId: number; lines: OrderLine[] };
    return created(store.placeOrder(ownerId, lines, key));
  }),
  route("GET", "/orders/{orderId}", ({ orders }, { id }) => ok(found(orders, Number(id), "order"))),
  route("DELETE", "/orders/{orderId}", (store, { id }) => ok(store.closeOrder(Number(id), "cancelled"))),
  route("POST", "/orders/{orderId}/shipment", (store, { id }) => ok(store.closeOrder(Number(id), "shipped"))),
  route("GET", "/stock", ({ stock }) => ok(Object.fromEntries(stock))),
  route("PATCH", "/stock/{sku}", (store, { id, body }) =>
    ok(store.adjustStock(id, (body as { by: number }).by)),
  ),
  route("GET", "/search", ({ pets }, { query }) => {
    const words = query.get("q")?.toLowerCase() ?? "";
    const min = Number(query.get("price[min]") ?? 0);
    const max = Number(query.get("price[max]") ?? Number.POSITIVE_INFINITY);
    const isMatch = (pet: Pet) =>
      `${pet.name} ${pet.species} ${pet.tags.join(" ")}`.toLowerCase().includes(words) &&
      pet.price >= min &&
      pet.price <= max;
    return ok([...pets.values()].filter(isMatch));
  }),
];
