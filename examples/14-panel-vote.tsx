/**
 * 14. A panel votes: may this folder be published?
 *
 *     npx treadle up examples/14-panel-vote.tsx
 *     npx treadle up examples/14-panel-vote.tsx --set root=node_modules/treadle --run-id library
 *
 * Three panelists look at the same folder with the same tools, each for what it cares about, and vote. Only
 * the `Panel` counts the votes; the moderator words the result. The
 * panelists are tool-loop agents of the AI SDK whose tools really read the folder; their models are
 * stand-ins. A panelist that fails is missing in the tally, as a voter who has stayed at home.
 */
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolLoopAgent } from "ai";
import { type AgentInput, createService, type PanelTally } from "treadle";
import { defineTool, read } from "treadle/tools";
import { z } from "zod";
import { offlineModel } from "./offline-model.js";

const { Workflow, Sequence, Panel, Task, service, outputs } = createService({
  input: z.object({ root: z.string().optional() }),
  opinion: z.object({ vote: z.enum(["publish", "wait"]), reason: z.string() }),
  verdict: z.object({ text: z.string() }),
  output: z.object({ decision: z.string(), text: z.string(), votes: z.record(z.string(), z.int()) }),
});

const Listing = z.object({ files: z.array(z.string()) });
const Manifest = z.object({ license: z.string().optional() });

const listFiles = defineTool({
  name: "list_files",
  description: "The names of all files in a folder and below, without installed packages.",
  schema: z.object({ folder: z.string() }),
  async execute({ folder }, { rootDir }) {
    const all = await readdir(resolve(rootDir, folder), { recursive: true });
    return { files: all.filter((name) => !name.includes("node_modules")).sort() };
  },
});

interface Seen {
  files: readonly string[];
  /** Of package.json; empty without one. */
  manifest: z.infer<typeof Manifest>;
}

/** What a model would work out by itself: whether there is a reason against it. */
function panelist(id: string, objection: (seen: Seen) => string | undefined): AgentInput {
  const opinion = (seen: Seen) => {
    const reason = objection(seen);
    return { answer: { vote: reason === undefined ? "publish" : "wait", reason: reason ?? "All is there." } };
  };
  const folderIn = (prompt: string) => /folder "(.*?)"/.exec(prompt)?.[1] ?? ".";
  return new ToolLoopAgent({
    id,
    tools: { list_files: listFiles, read },
    model: offlineModel(
      ({ prompt }) => ({ call: "list_files", input: { folder: folderIn(prompt) } }),
      ({ prompt, results: [listing] }) => {
        const { files } = Listing.parse(listing);
        if (!files.includes("package.json")) return opinion({ files, manifest: {} });
        return { call: "read", input: { path: `${folderIn(prompt)}/package.json` } };
      },
      ({ results: [listing, text] }) => {
        const { files } = Listing.parse(listing);
        return opinion({ files, manifest: Manifest.parse(JSON.parse(String(text))) });
      },
    ),
  });
}

const lawyer = panelist("lawyer", ({ files, manifest }) => {
  if (manifest.license === undefined) return "package.json names no licence.";
  return files.includes("LICENSE") ? undefined : "The text of the licence is missing.";
});
const editor = panelist("editor", ({ files }) =>
  files.includes("README.md") ? undefined : "There is no README.",
);
const tester = panelist("tester", ({ files }) =>
  files.some((name) => /\.test\.\w+$/.test(name)) ? undefined : "There are no tests.",
);

const moderator = new ToolLoopAgent({
  id: "moderator",
  model: offlineModel(({ prompt }) => {
    const blocks = [...prompt.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => JSON.parse(text));
    const { decision, votes } = blocks.at(-1) as PanelTally;
    const against = blocks.slice(0, -1).filter(({ vote }) => vote === "wait");
    const count = votes.map(({ vote, by }) => `${by.join(" and ")} for "${vote}"`).join(", ");
    const reasons = against.map(({ reason }) => reason).join(" ");
    return { answer: { text: `${decision ?? "no decision"}: ${count}. ${reasons}`.trim() } };
  }),
});

export default service((ctx) => (
  <Workflow name="panel-vote">
    <Sequence>
      <Panel
        id="jury"
        panelists={[
          { agent: lawyer, label: "law" },
          { agent: editor, label: "documentation" },
          { agent: tester, label: "tests" },
        ]}
        moderator={moderator}
        panelistOutput={outputs.opinion}
        moderatorOutput={outputs.verdict}
        strategy="vote"
      >
        May the folder "{ctx.input.root ?? "."}" be published?
      </Panel>
      <Task
        id="result"
        output={outputs.output}
        deps={{ verdict: outputs.verdict }}
        needs={{ verdict: "jury-moderator", tally: "jury-tally" }}
      >
        {({ verdict, tally }) => {
          const { decision, votes } = tally as PanelTally;
          return {
            decision: String(decision ?? "none"),
            text: verdict.text,
            votes: Object.fromEntries(votes.map(({ vote, count }) => [String(vote), count])),
          };
        }}
      </Task>
    </Sequence>
  </Workflow>
));
