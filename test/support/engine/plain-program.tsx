import { z } from "zod";
import { createService, runWorkflow } from "../../../src/index.js";

// A program as a reader would write it: it runs a workflow, does what it likes with the result, and ends.
const [, , database = "", kind = "finishes"] = process.argv;
const { Workflow, Task, Timer, Parallel, service, outputs } = createService(
  { output: z.object({ n: z.number() }) },
  { dbPath: database },
);

const workflow = service(() => (
  <Workflow name="plain">
    <Parallel>
      <Task id="work" output={outputs.output} timeoutMs={600_000} heartbeatTimeoutMs={600_000} retries={0}>
        {async (_inputs, { heartbeat, signal }) => {
          heartbeat({ at: "work" });
          if (signal.aborted) throw signal.reason;
          await new Promise((resolve) => setTimeout(resolve, 5));
          if (kind === "fails") throw new Error("as asked");
          return { n: 1 };
        }}
      </Task>
      {kind === "waits" ? <Timer id="later" duration="12h" /> : null}
    </Parallel>
  </Workflow>
));

const { status } = await runWorkflow(workflow, { input: {}, onProgress: () => undefined });
process.stderr.write(status);
