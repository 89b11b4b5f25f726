/**
 * 18. A page of one's own for people: customers write, and a person answers in the browser.
 *
 *     npx treadle up examples/18-answer-desk.tsx --run-id ask --set "message=Where is order 7?"
 *     npx treadle gateway --config examples/pages/treadle.gateway.ts --open   # it stands on the page, with room for an answer
 *
 * A page needs `npm install react react-dom`. The gateway serves `pages/answer-desk.jsx`, which is bundled when it
 * starts. It reads and decides with the hooks of `treadle/react`: what it shows is kept up to date by the gateway, whoever else answers, in another tab or in a shell.
 */
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, HumanTask, Task, service, outputs } = createService({
  input: z.object({ message: z.string() }),
  answer: z.object({ text: z.string().min(1) }),
  output: z.object({ sent: z.string() }),
});

export default service((ctx) => (
  <Workflow name="answer-desk">
    <Sequence>
      <HumanTask id="answer" output={outputs.answer} prompt={`A customer writes: ${ctx.input.message}`} />
      <Task id="send" output={outputs.output} needs={{ answer: "answer" }} deps={{ answer: outputs.answer }}>
        {({ answer }) => ({ sent: `Re: ${ctx.input.message} ${answer.text}` })}
      </Task>
    </Sequence>
  </Workflow>
));
