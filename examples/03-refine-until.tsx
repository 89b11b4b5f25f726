/**
 * 3. Refine until it is good: a loop whose body sees what the last round wrote.
 *
 *     npx treadle up examples/03-refine-until.tsx
 *     npx treadle up examples/03-refine-until.tsx --set "title=fixed a crash, which only tests had seen."
 *
 * Each round reviews the title and repairs the first fault that was found. `until` is looked at after
 * every round; `maxIterations` is the guard against a review that is never content.
 */
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Loop, Task, service, outputs } = createService({
  input: z.object({ title: z.string().optional() }),
  draft: z.object({ title: z.string() }),
  review: z.object({ ok: z.boolean(), faults: z.array(z.string()) }),
  output: z.object({ title: z.string(), rounds: z.int(), ok: z.boolean() }),
});

interface Rule {
  fault: string;
  isBroken(title: string): boolean;
  repair(title: string): string;
}

const LONGEST_TITLE = 50;

const RULES: Rule[] = [
  {
    fault: "ends with a full stop",
    isBroken: (title) => title.endsWith("."),
    repair: (title) => title.replace(/\.+$/, ""),
  },
  {
    fault: "starts with a small letter",
    isBroken: (title) => /^\p{Ll}/u.test(title),
    repair: (title) => title.charAt(0).toUpperCase() + title.slice(1),
  },
  {
    fault: "tells the past, not what the change does",
    isBroken: (title) => /^(Fixed|Added|Removed)\b/.test(title),
    repair: (title) =>
      title
        .replace(/^Fixed/, "Fix")
        .replace(/^Added/, "Add")
        .replace(/^Removed/, "Remove"),
  },
  {
    fault: `is longer than ${LONGEST_TITLE} characters`,
    isBroken: (title) => title.length > LONGEST_TITLE,
    repair: (title) => title.slice(0, title.lastIndexOf(title.includes(",") ? "," : " ")),
  },
];

function repair(title: string, faults: readonly string[]): string {
  const first = RULES.find(({ fault }) => fault === faults[0]);
  return first?.repair(title) ?? title;
}

export default service((ctx) => {
  const review = ctx.latest("review", "review");
  const given = ctx.input.title ?? "fixed the report of large folders, which had counted binary files.";
  return (
    <Workflow name="refine-until">
      <Sequence>
        <Loop id="refine" until={review?.ok === true} maxIterations={20} onMaxReached="return-last">
          <Sequence>
            <Task id="draft" output={outputs.draft}>
              {() => {
                // A function runs later than the render: what it reads from ctx is the row of that moment.
                const previous = ctx.latest("draft", "draft")?.title ?? given;
                return { title: repair(previous, ctx.latest("review", "review")?.faults ?? []) };
              }}
            </Task>
            {/* Inside a loop, `deps` reads the row of the same round. */}
            <Task id="review" output={outputs.review} deps={{ draft: outputs.draft }}>
              {({ draft }) => {
                const faults = RULES.filter(({ isBroken }) => isBroken(draft.title)).map(
                  ({ fault }) => fault,
                );
                return { ok: faults.length === 0, faults };
              }}
            </Task>
          </Sequence>
        </Loop>
        <Task id="result" output={outputs.output} deps={{ draft: outputs.draft, review: outputs.review }}>
          {({ draft, review: last }) => ({
            title: draft.title,
            rounds: ctx.iterationCount("draft", "draft"),
            ok: last.ok,
          })}
        </Task>
      </Sequence>
    </Workflow>
  );
});
