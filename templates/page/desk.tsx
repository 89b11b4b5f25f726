import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, HumanTask, Task, service, outputs } = createService({
  input: z.object({ message: z.string() }),
  answer: z.object({ text: z.string().min(1) }),
  output: z.object({ sent: z.string() }),
});

export default service((ctx) => (
  <Workflow name="desk">
    <Sequence>
      <HumanTask id="answer" output={outputs.answer} prompt={`A customer writes: ${ctx.input.message}`} />
      <Task id="send" output={outputs.output} needs={{ answer: "answer" }} deps={{ answer: outputs.answer }}>
        {({ answer }) => ({ sent: `Re: ${ctx.input.message} ${answer.text}` })}
      </Task>
    </Sequence>
  </Workflow>
));
