/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";

/** What stands beside the name of the file: a summary begins with it, and may have it before each place. */
export function withoutFile(summary: string, file: string): string {
  const told = summary.split(`${file}:`).join("");
  return told.startsWith(`${file} `) ? told.slice(file.length + 1) : told;
}

/** Under `treadle dev`: what is wrong with files as they were saved, on every page, until a save mends them. */
export function SavedErrors() {
  const { data } = useMethod("listWorkflows", {}, { pollMs: 60_000 });
  const broken = data?.broken.filter(({ isWatched, isModule }) => isWatched && !isModule);
  return broken?.map(({ key, file, error }) => (
    <section key={key} className="saved-error" role="alert" aria-label={`Error in ${shown(file)}`}>
      <p>
        <Icon name="warning" /> <strong>{shown(file)}</strong> <code>{shown(error.code)}</code>{" "}
        {shown(withoutFile(error.summary, file))}
      </p>
      {error.frame !== null && <pre>{shown(error.frame)}</pre>}
      <p className="hint">
        Nothing new starts of it until it is mended; its runs continue with the code that they have.
      </p>
    </section>
  ));
}
