/**
 * 8. Waiting for the world: a signal, an event with a deadline, and a timer.
 *
 *     npx treadle up examples/08-signals-and-timers.tsx --run-id order-7        # waits for the payment
 *     npx treadle why order-7                                                   # says so, and what to type
 *     npx treadle signal order-7 payment --data '{"amount":42}'
 *     npx treadle up --resume order-7                                           # packs, and lets time pass
 *
 * A signal that arrives before a node waits for it is kept. Data that does not fit the schema of the one
 * who waits is refused, and the sender learns why. Deadlines and timers are kept in the database: time
 * that passes while nothing runs counts.
 */
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Signal, WaitForEvent, Timer, Task, service, outputs } = createService({
  input: z.object({ patienceMs: z.int().optional(), cooling: z.string().optional() }),
  payment: z.object({ amount: z.number().positive() }),
  packed: z.object({ note: z.string() }),
  complaint: z.object({ text: z.string() }),
  output: z.object({ amount: z.number(), complaint: z.string().nullable() }),
});

export default service((ctx) => (
  <Workflow name="signals-and-timers">
    <Sequence>
      {/* Waits for the signal named by its id. What stands inside is mounted with its data. */}
      <Signal id="payment" schema={outputs.payment}>
        {({ amount }) => (
          <Task id="pack" output={outputs.packed}>
            {{ note: `paid ${amount}, packed` }}
          </Task>
        )}
      </Signal>
      <Timer id="cooling-off" duration={ctx.input.cooling ?? "1s"} />
      {/* Only an event about this order matches. After the deadline the run continues without a row. */}
      <WaitForEvent
        id="complaint"
        event="customer.complained"
        correlationId={ctx.runId}
        output={outputs.complaint}
        timeoutMs={ctx.input.patienceMs ?? 1_000}
        onTimeout="continue"
      />
      <Task id="close" output={outputs.output} deps={{ payment: outputs.payment }}>
        {({ payment }) => ({
          amount: payment.amount,
          complaint: ctx.outputMaybe("complaint", { nodeId: "complaint" })?.text ?? null,
        })}
      </Task>
    </Sequence>
  </Workflow>
));
