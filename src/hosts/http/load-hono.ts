import { createRequire } from "node:module";

/** As CommonJS: the hosts are named in the root entry, and only who makes one loads the framework. */
const require = createRequire(import.meta.url);

/** The HTTP framework; loaded with the first host. */
export function loadHono(): typeof import("hono") {
  return require("hono") as typeof import("hono");
}

export function loadStreaming(): typeof import("hono/streaming") {
  return require("hono/streaming") as typeof import("hono/streaming");
}

/** The middleware that lets pages of other origins call. */
export function loadCors(): typeof import("hono/cors") {
  return require("hono/cors") as typeof import("hono/cors");
}

/** Between the framework's requests and Node's. */
export function loadNodeServer(): typeof import("@hono/node-server") {
  return require("@hono/node-server") as typeof import("@hono/node-server");
}

/** The server side of WebSockets. */
export function loadWebSockets(): typeof import("ws") {
  return require("ws") as typeof import("ws");
}
