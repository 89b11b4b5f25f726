/** Data of a gateway for the pages that it serves. */
export interface BootData {
  /** The way from the page to the root of the gateway, such as `../`. */
  basePath: string;
  /** The way from there to this page, such as `console`; empty for a page at the root. */
  pagePath: string;
  /** Key of the workflow whose page this is; null for pages of the gateway. */
  workflowKey: string | null;
  /** Title of the page. */
  title: string;
  /** Whether calls need a token. */
  requiresToken: boolean;
  /** `props` of the page's configuration. */
  props: Record<string, unknown>;
}

/** Id of the element that holds it. */
const ELEMENT_ID = "treadle-boot";

/** The boot data of the gateway that serves this page; undefined on other pages, and outside of browsers. */
export function bootData(): BootData | undefined {
  const { document } = globalThis as {
    document?: { getElementById(id: string): { textContent: string | null } | null };
  };
  const text = document?.getElementById(ELEMENT_ID)?.textContent;
  return text === null || text === undefined ? undefined : (JSON.parse(text) as BootData);
}
