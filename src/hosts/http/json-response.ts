import { once } from "../../util/once.js";
import { loadNodeServer } from "./load-hono.js";

/**
 * The `Response` of what connects the framework to Node. It keeps a text as it is, and the connection writes it at
 * once; the body of any other is a stream that is made, and then read, for each answer.
 */
const directResponse = once((): typeof Response => {
  const replaced = (["Request", "Response"] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  // It can be had in the place of the process's own alone, where tasks and their tools would get it too.
  loadNodeServer().getRequestListener(() => new Response(), { overrideGlobalObjects: true });
  const direct = globalThis.Response;
  for (const [name, own] of replaced) if (own !== undefined) Object.defineProperty(globalThis, name, own);
  return direct;
});

/** What a host answers: JSON. */
export function jsonResponse(
  value: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const Direct = directResponse();
  return new Direct(JSON.stringify(value), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}
