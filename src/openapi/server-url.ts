import type { LoadedSpec } from "./load-spec.js";
import type { SpecOperation } from "./operations.js";
import { asRecord } from "./spec.js";

/**
 * Where an operation's paths start: the first server of the operation, else of
 * its path, else of the document. Without any server it is the root of where
 * the document came from. The text says what is missing when there is no such URL.
 */
export function serverUrlOf(loaded: LoadedSpec, { operation, pathItem }: SpecOperation): URL | string {
  const lists = [operation["servers"], pathItem["servers"], loaded.spec.servers];
  const server = lists.map((list) => (Array.isArray(list) ? asRecord(list[0]) : undefined)).find(Boolean);
  const template = typeof server?.["url"] === "string" ? server["url"] : "/";
  const text = withVariables(template, asRecord(server?.["variables"]) ?? {});
  const base = loaded.url?.href;
  if (!URL.canParse(text, base)) {
    return server === undefined
      ? "the document names no server; pass the `baseUrl` option"
      : `the server URL ${JSON.stringify(text)} of the document is not absolute; pass the \`baseUrl\` option`;
  }
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol)) {
    return `the server URL of the document has the protocol ${url.protocol}`;
  }
  if (url.username !== "" || url.password !== "") {
    return "the server URL of the document holds credentials; pass the `baseUrl` and `auth` options";
  }
  return url;
}

/** `https://{region}.example.com` with every variable at its default. */
function withVariables(template: string, variables: Record<string, unknown>): string {
  return template.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const value = asRecord(variables[name])?.["default"];
    return value === undefined ? placeholder : String(value);
  });
}
