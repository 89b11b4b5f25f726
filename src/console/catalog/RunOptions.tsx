/** @jsxImportSource react */
import { Fold } from "../parts/Fold.js";
import { type Field, InputField } from "./InputField.js";
import type { LaunchDraft, RunOptionName } from "./launch-draft.js";
import type { Problems } from "./launch-request.js";

const OPTIONS: readonly (Field & { name: RunOptionName; label: string })[] = [
  option("runId", "Id of the run", "text", "Letters, digits and dashes; one is made where none is written."),
  option("maxConcurrency", "Tasks at once", "number", "As the workflow says, else 4."),
  option("queue", "Queue", "text", "Workers of this queue execute the tasks that name none."),
  option("annotations", "Annotations", "json", 'Kept with the run: {"team": "docs", "urgent": true}.'),
];

function option(name: RunOptionName, label: string, kind: Field["kind"], description: string) {
  return { name, label, kind, description };
}

interface RunOptionsProps {
  options: LaunchDraft["options"];
  problems: Problems;
  onChange(options: LaunchDraft["options"]): void;
}

/** How the run runs, apart from its input. */
export function RunOptions({ options, problems, onChange }: RunOptionsProps) {
  return (
    <Fold title="Run options" isOpenAtFirst={OPTIONS.some(({ name }) => options[name] !== "")}>
      {OPTIONS.map((field) => (
        <InputField
          key={field.name}
          field={{ ...field, name: field.label }}
          text={options[field.name]}
          problem={problems[`option ${field.name}`]}
          onChange={(text) => onChange({ ...options, [field.name]: text })}
        />
      ))}
    </Fold>
  );
}
