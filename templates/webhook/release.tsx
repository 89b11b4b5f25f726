import { createService } from "treadle";
import { z } from "zod";

// `input` is what the request has under `release`; a body that does not fit is refused, and starts nothing.
const { Workflow, Sequence, Task, service, outputs } = createService({
  input: z.object({ version: z.string(), notes: z.array(z.string()).optional() }),
  entry: z.object({ text: z.string() }),
  output: z.object({ version: z.string(), announced: z.string() }),
});

export default service((ctx) => (
  <Workflow name="release">
    <Sequence>
      <Task id="write" output={outputs.entry}>
        {{
          text: [`# ${ctx.input.version}`, ...(ctx.input.notes ?? []).map((note) => `- ${note}`)].join("\n"),
        }}
      </Task>
      <Task id="announce" output={outputs.output} deps={{ write: outputs.entry }}>
        {({ write }) => ({ version: ctx.input.version, announced: write.text })}
      </Task>
    </Sequence>
  </Workflow>
));
