/** @jsxImportSource react */
import { type FormEvent, useState } from "react";
import { places } from "../frame/places.js";
import { Link, useRouter } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import { shownShort } from "../parts/text.js";
import { filtersOf, type RunFilters } from "./run-filters.js";
import { isSame, type SavedView, useSavedViews } from "./saved-views.js";
import { BUILT_IN } from "./views.js";

const NOTHING = filtersOf(new URLSearchParams());
const BEGIN: readonly SavedView[] = BUILT_IN.map(({ name, view, since }) => ({
  name,
  filters: { ...NOTHING, view: view === "all" ? undefined : view, since },
}));

/** Lists of runs by their names: those of every page, and those that this browser keeps. */
export function SavedViews({ filters }: { filters: RunFilters }) {
  const { go } = useRouter();
  const { views, save, remove } = useSavedViews();
  const [isNaming, setNaming] = useState(false);
  const here = [...views, ...BEGIN].find((view) => isSame(view.filters, filters));
  const own = views.find((view) => view === here);
  const keep = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (name === "") return;
    save({ name, filters });
    setNaming(false);
  };
  return (
    <>
      <nav className="segments" aria-label="Saved views">
        {[...BEGIN, ...views].map((view) => (
          <Link
            key={`${BEGIN.includes(view)} ${view.name}`}
            to={places.runs(view.filters)}
            aria-current={view === here ? "page" : undefined}
          >
            {shownShort(view.name, 40)}
          </Link>
        ))}
      </nav>
      {own !== undefined && (
        <button
          type="button"
          className="plain"
          onClick={() => {
            remove(own.name);
            go(places.runs(own.filters), { replaces: true });
          }}
        >
          <Icon name="cross" /> Forget this view
        </button>
      )}
      {here === undefined && !isNaming && (
        <button type="button" className="plain" onClick={() => setNaming(true)}>
          <Icon name="plus" /> Save this view…
        </button>
      )}
      {here === undefined && isNaming && (
        <form className="naming" onSubmit={keep}>
          <input
            name="name"
            aria-label="Name of the view"
            placeholder="Name of the view"
            maxLength={60}
            required
            // biome-ignore lint/a11y/noAutofocus: the reader has just asked for this field.
            autoFocus
            onKeyDown={({ key }) => key === "Escape" && setNaming(false)}
          />
          <button type="submit" className="button">
            Save
          </button>
        </form>
      )}
    </>
  );
}
