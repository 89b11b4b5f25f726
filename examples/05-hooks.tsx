/**
 * 5. Components and hooks: a workflow is a React tree.
 *
 *     npx treadle up examples/05-hooks.tsx
 *     npx treadle graph examples/05-hooks.tsx
 *
 * Components take props, share a React context, and read the run with `useCtx`. A custom hook is a
 * function of other hooks. State and effects do not exist here: everything a render may depend on is in
 * the run's rows, so that any process can render the same tree again.
 */
import { createContext, type ReactNode, use, useMemo } from "react";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Parallel, Branch, Task, useCtx, service, outputs } = createService({
  input: z.object({ words: z.array(z.string()).optional() }),
  measure: z.object({ word: z.string(), length: z.int(), unique: z.int() }),
  output: z.object({ longest: z.string(), note: z.string() }),
});

const WordsContext = createContext<readonly string[]>([]);

/** The rows that are there so far, one per word. */
function useMeasures() {
  const ctx = useCtx();
  return use(WordsContext).flatMap(
    (_, index) => ctx.outputMaybe("measure", { nodeId: `word-${index}` }) ?? [],
  );
}

function useIsComplete(): boolean {
  return useMeasures().length === use(WordsContext).length;
}

function Measure({ word, index }: { word: string; index: number }) {
  // Computed once per word, although the tree is rendered again after every row.
  const unique = useMemo(() => new Set(word.toLowerCase()).size, [word]);
  return (
    <Task id={`word-${index}`} output={outputs.measure} label={word}>
      {{ word, length: word.length, unique }}
    </Task>
  );
}

/** Mounts what follows once every word has its row. */
function WhenComplete({ children }: { children: ReactNode }) {
  return useIsComplete() ? children : null;
}

function Verdict() {
  const measures = useMeasures();
  const longest = measures.reduce((best, row) => (row.length > best.length ? row : best));
  const hasRepeats = longest.unique < longest.length;
  return (
    <Branch
      if={hasRepeats}
      then={
        <Task id="verdict" output={outputs.output}>
          {{ longest: longest.word, note: `It repeats ${longest.length - longest.unique} of its letters.` }}
        </Task>
      }
      else={
        <Task id="verdict" output={outputs.output}>
          {{ longest: longest.word, note: "No letter occurs twice." }}
        </Task>
      }
    />
  );
}

export default service((ctx) => (
  <WordsContext value={ctx.input.words ?? ["loom", "shuttle", "warp", "treadle"]}>
    <Workflow name="hooks">
      <Sequence>
        <Words />
        <WhenComplete>
          <Verdict />
        </WhenComplete>
      </Sequence>
    </Workflow>
  </WordsContext>
));

function Words() {
  return (
    <Parallel maxConcurrency={2}>
      {use(WordsContext).map((word, index) => (
        <Measure key={word} word={word} index={index} />
      ))}
    </Parallel>
  );
}
