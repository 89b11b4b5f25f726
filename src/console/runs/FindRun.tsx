/** @jsxImportSource react */
import { type FormEvent, useState } from "react";
import { useClient } from "../../react/index.js";
import { places } from "../frame/places.js";
import { useRouter } from "../frame/router.js";
import { explained } from "../parts/explained.js";
import { Icon } from "../parts/Icon.js";
import { shown } from "../parts/text.js";

/** Opens a run by its id, the beginning of one, or `latest`. */
export function FindRun() {
  const client = useClient();
  const { go } = useRouter();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const find = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "") return;
    try {
      const { runId } = await client.findRun({ run: text.trim() });
      go(places.run(runId));
    } catch (error) {
      setProblem(explained(error as Error));
    }
  };
  return (
    <search>
      <form className="find" onSubmit={(event) => void find(event)}>
        <Icon name="search" />
        <input
          type="search"
          aria-label="Open a run: id, its beginning, or latest"
          placeholder="Open run: id or latest"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(null);
          }}
        />
        {problem !== null && (
          <p className="problem floating" role="alert">
            {shown(problem)}
          </p>
        )}
      </form>
    </search>
  );
}
