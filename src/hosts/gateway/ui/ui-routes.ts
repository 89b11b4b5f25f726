import { extname } from "node:path";
import type { Context, Hono } from "hono";
import { ServiceError } from "../../../errors/service-error.js";
import { shorten } from "../../../util/bounded-text.js";
import type { GatewayParts } from "../gateway-parts.js";
import { PageBundles } from "./page-bundles.js";
import { failureHtml, pageHtml } from "./page-html.js";
import { ASSETS, OPERATOR_SECTIONS, type UiPage, uiPages } from "./ui-page.js";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

/** Scripts come from files of the gateway only; data from the gateway only; no page shows this one in a frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE_HEADERS = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
};

/**
 * The pages of the gateway, of its workflows and of the operator. Page and scripts are open to everybody whose
 * origin is: they hold no data of a run. The page asks for its data with the credentials of its user.
 * @throws INVALID_INPUT for pages whose paths collide
 */
export function addUiRoutes(app: Hono, parts: GatewayParts): void {
  const { options, workspace, onFailure } = parts;
  const pages = uiPages(parts);
  const below: (() => void)[] = [];
  const bundles = new PageBundles({ root: workspace.root, onFailure: (error) => onFailure(error) });
  for (const page of pages) {
    // Begun now, so that the log tells at once what is wrong; a request finds it done, or tries again.
    if (page.entry !== null) bundles.of(page).catch(() => {});
    const answer = (c: Context) => answerPage(c, page, { bundles, mode: options.auth?.mode });
    app.get(page.path, answer);
    if (page.path !== "/") app.get(`${page.path}/`, (c) => c.redirect(`../${lastPart(page.path)}`, 308));
    if (page.entry === null) below.push(() => addSections(app, page.path, answer));
  }
  // A page of its own at such a path comes before the operator's.
  for (const add of below) add();
  const operator = pages.find(({ workflowKey, entry }) => workflowKey === null && entry === null);
  if (operator !== undefined && !pages.some(({ path }) => path === "/")) {
    app.get("/", (c) => c.redirect(operator.path.slice(1)));
  }
  app.get(`/${ASSETS}/:name`, (c) => answerAsset(c, bundles));
}

/** The operator's page has addresses below its own. None is one of the gateway's, so that it may be at the root. */
function addSections(app: Hono, path: string, answer: (c: Context) => Promise<Response>): void {
  const base = path === "/" ? "" : path;
  for (const section of OPERATOR_SECTIONS) {
    app.get(`${base}/${section}`, answer);
    app.get(`${base}/${section}/*`, answer);
  }
}

interface PageContext {
  bundles: PageBundles;
  mode: "token" | "jwt" | "trusted-proxy" | undefined;
}

async function answerPage(c: Context, page: UiPage, { bundles, mode }: PageContext): Promise<Response> {
  try {
    const bundle = await bundles.of(page);
    const requiresToken = mode === "token" || mode === "jwt";
    // Not decoded: an encoded slash is no folder to a browser.
    const { pathname } = new URL(c.req.url);
    return c.html(pageHtml(page, bundle, { path: pathname, requiresToken }), 200, PAGE_HEADERS);
  } catch (error) {
    if (!ServiceError.is(error)) throw error;
    // Excerpts of sources are for those who have them anyway.
    const report = mode === undefined ? error.message : undefined;
    return c.html(failureHtml(page, report), 500, PAGE_HEADERS);
  }
}

function answerAsset(c: Context, bundles: PageBundles): Response {
  const name = c.req.param("name") ?? "";
  const type = CONTENT_TYPES[extname(name)] ?? "application/octet-stream";
  // Pictures and fonts are packed already.
  const isPacked = /^text\/|svg/.test(type) && /\bgzip\b/.test(c.req.header("Accept-Encoding") ?? "");
  const content = isPacked ? bundles.packed(name) : bundles.file(name);
  if (content === undefined) {
    throw new ServiceError(
      "ROUTE_NOT_FOUND",
      `No page of this gateway has a file ${JSON.stringify(shorten(name, 80))}.`,
    );
  }
  return c.body(Uint8Array.from(content), 200, {
    "Content-Type": type,
    ...(isPacked && { "Content-Encoding": "gzip" }),
    Vary: "Accept-Encoding",
    "Cache-Control": "public, max-age=31536000, immutable",
    // A picture with scripts in it, opened on its own, runs none.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Referrer-Policy": "no-referrer",
  });
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
