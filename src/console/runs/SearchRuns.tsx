/** @jsxImportSource react */
import type { FormEvent } from "react";
import { places } from "../frame/places.js";
import { useRouter } from "../frame/router.js";
import { Icon } from "../parts/Icon.js";
import type { RunFilters } from "./run-filters.js";

const LONGEST_TEXT = 256;

/** What runs are searched for, once it is sent: the gateway looks through all of them. */
export function SearchRuns({ filters }: { filters: RunFilters }) {
  const { go } = useRouter();
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const word = (name: string) => String(given.get(name)).trim() || undefined;
    go(places.runs({ ...filters, text: word("text"), annotation: word("annotation") }));
  };
  return (
    <search>
      <form className="row-of-fields" onSubmit={search}>
        <label className="find">
          <Icon name="search" />
          <span className="unseen">Text in id or input</span>
          <input
            name="text"
            type="search"
            placeholder="Text in id or input"
            maxLength={LONGEST_TEXT}
            spellCheck={false}
            defaultValue={filters.text}
          />
        </label>
        <label>
          <span className="unseen">Annotation, as name=value</span>
          <input
            name="annotation"
            type="search"
            placeholder="Annotation a=b"
            pattern="[^=]+=.*"
            title="A name, = and its value, as in team=core"
            spellCheck={false}
            defaultValue={filters.annotation}
          />
        </label>
        <button type="submit" className="button">
          Find
        </button>
      </form>
    </search>
  );
}
