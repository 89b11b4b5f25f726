/** @jsxImportSource react */
import { useMethod } from "../../react/index.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";

/** A module that others import: its file gives no workflow, and nothing is wrong with it. */
const NO_WORKFLOW = "WORKFLOW_MISSING_DEFAULT";

/** Under `treadle dev`: what is wrong with files as they were saved, on every page, until a save mends them. */
export function SavedErrors() {
  const { data } = useMethod("listWorkflows", {}, { pollMs: 60_000 });
  const broken = data?.broken.filter(({ isWatched, error }) => isWatched && error.code !== NO_WORKFLOW);
  return broken?.map(({ key, file, error }) => (
    <section key={key} className="saved-error" role="alert" aria-label={`Error in ${shown(file)}`}>
      <p>
        <Icon name="warning" /> <strong>{shown(file)}</strong> <code>{shown(error.code)}</code>{" "}
        {shown(error.summary)}
      </p>
      {error.frame !== null && <pre>{shown(error.frame)}</pre>}
      <p className="hint">
        Nothing new starts of it until it is mended; its runs continue with the code that they have.
      </p>
    </section>
  ));
}
