/**
 * 15. A runbook: commands that run, and people who are asked before the risky ones.
 *
 *     npx treadle up examples/15-runbook.tsx --run-id rotate
 *     npx treadle inbox                            # asks before old backups are removed
 *     npx treadle approve rotate rotate-prune-approval --by ada --yes
 *     npx treadle up --resume rotate               # removes them, and asks before the data is
 *     npx treadle deny rotate rotate-empty-approval --by ada --note "not before Monday" --yes
 *     npx treadle up --resume rotate               # leaves the data alone and finishes
 *
 * The commands are real: they run in the folder that the run was started in, by the rules of the `bash` tool
 * (no network, nothing written elsewhere). Each can be given twice, which happens when its process dies under
 * it. Safe steps run at once. The others wait for a person, for as long as it takes and without a process.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Runbook, Task, service, outputs } = createService({
  folder: z.object({ files: z.int() }),
  step: z.object({ step: z.string(), output: z.string() }),
  output: z.object({ backups: z.array(z.string()), dataFiles: z.int(), steps: z.array(z.string()) }),
});

const SAMPLE = {
  "data/orders.csv": "id,total\n1,20\n2,35\n",
  "data/customers.csv": "id,name\n1,Ada\n",
  "backups/old-1.tgz": "",
  "backups/old-2.tgz": "",
};

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}

export default service((ctx) => (
  <Workflow name="rotate-backups">
    <Sequence>
      <Task id="sample" output={outputs.folder}>
        {async (_rows, { rootDir }) => {
          for (const folder of ["data", "backups"]) await mkdir(join(rootDir, folder), { recursive: true });
          for (const [name, text] of Object.entries(SAMPLE)) await writeFile(join(rootDir, name), text);
          return { files: Object.keys(SAMPLE).length };
        }}
      </Task>
      <Runbook
        id="rotate"
        steps={[
          { id: "archive", command: "tar czf backups/new.tgz data && ls backups", risk: "safe" },
          { id: "verify", command: "tar tzf backups/new.tgz | grep -c csv", risk: "safe" },
          {
            id: "prune",
            command: "rm -f backups/old-*.tgz && ls backups",
            risk: "risky",
            label: "Remove the old backups",
          },
          {
            id: "empty",
            command: "rm -f data/*.csv && ls data",
            risk: "critical",
            label: "Remove the data that is in the new backup",
          },
        ]}
        stepOutput={outputs.step}
        onDeny="skip"
      />
      <Task id="result" output={outputs.output}>
        {async (_rows, { rootDir }) => ({
          backups: await filesIn(join(rootDir, "backups")),
          dataFiles: (await filesIn(join(rootDir, "data"))).length,
          steps: ctx.outputs.step.map(
            ({ step, output }) => `${step}: ${output.trim().replaceAll("\n", " ")}`,
          ),
        })}
      </Task>
    </Sequence>
  </Workflow>
));
