import type { BootData } from "../../../client/index.js";
import { ASSETS, type UiPage } from "./ui-page.js";

/** Files of a page, by their names below the assets' path. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
  /** What the scripts import, so that it is loaded beside them. @default none */
  modules?: readonly string[];
}

/**
 * The page that loads the module. It holds no data of any run, and addresses everything relative to itself, so
 * that a proxy may serve it below a path of its own.
 * @param path the page's own, or one below it
 */
export function pageHtml(
  page: UiPage,
  { scripts, styles, modules = [] }: PageFiles,
  { path, requiresToken }: { path: string; requiresToken: boolean },
): string {
  const base = baseOf(path);
  const { workflowKey, title, props } = page;
  const pagePath = page.path.slice(1);
  const boot: BootData = { basePath: base, pagePath, workflowKey, title, requiresToken, props };
  return documentHtml(title, [
    ...styles.map((name) => `<link rel="stylesheet" href="${base}${ASSETS}/${name}">`),
    ...modules.map((name) => `<link rel="modulepreload" href="${base}${ASSETS}/${name}">`),
    `<script type="application/json" id="treadle-boot">${embeddedJson(boot)}</script>`,
    ...scripts.map((name) => `<script type="module" src="${base}${ASSETS}/${name}"></script>`),
  ]);
}

/** The page in place of one whose module could not be bundled. @param report undefined: it is only in the log */
export function failureHtml({ title }: UiPage, report: string | undefined): string {
  const text =
    report === undefined
      ? "<p>The log of the gateway says why.</p>"
      : `<pre>${escapeHtml(report)}</pre><p>Correct the file and load this page again.</p>`;
  return documentHtml(title, [], `<h1>This page could not be bundled</h1>${text}`);
}

function documentHtml(title: string, head: readonly string[], body = `<div id="root"></div>`): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    '<link rel="icon" href="data:,">',
    ...head,
    "</head>",
    `<body>${body}</body>`,
    "</html>",
    "",
  ].join("\n");
}

/** From a page to the root of the gateway: as many steps up as the path has folders. */
function baseOf(path: string): string {
  return "../".repeat(path.split("/").length - 2) || "./";
}

/** JSON that nothing in it can end, or turn into something else, wherever it is read. */
function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
