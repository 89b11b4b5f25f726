import { expect } from "vitest";
import { CASES } from "./credentials.js";
import { httpSurface, SECRET, type Surface } from "./surface.js";

/** Pages and their files are open to every origin that is let in, and hold nothing of any run. */
export async function pageSurfaces(url: string): Promise<Surface[]> {
  const page = await (await fetch(`${url}/console`)).text();
  const [, script = ""] = /src="\.\/(_ui\/[^"]+)"/.exec(page) ?? [];
  const statuses = {
    ...Object.fromEntries(CASES.map((name) => [name, 200])),
    "wrong origin": 403,
  } as Surface["statuses"];
  return [`${url}/console`, `${url}/${script}`].map((address, index) => {
    const surface = httpSurface(`the operator's page: ${["page", "script"][index]}`, address, { statuses });
    return {
      ...surface,
      async attempt(sent) {
        const outcome = await surface.attempt(sent);
        expect(outcome.received).not.toContain(SECRET);
        return outcome;
      },
    };
  });
}
