import { Window } from "happy-dom";

/**
 * A page for components, in the place of a browser's. Only what React and its testing library look for is
 * global: requests and WebSockets stay Node's own, so that they reach a real gateway.
 */
const page = new Window({ url: "http://127.0.0.1/" });
const names = [
  "window",
  "document",
  "navigator",
  "Node",
  "Element",
  "HTMLElement",
  "HTMLIFrameElement",
] as const;
for (const name of names) {
  const value = name === "window" ? page : page[name];
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
