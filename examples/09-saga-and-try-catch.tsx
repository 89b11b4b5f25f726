/**
 * 9. Failures that are part of the plan: undoing, catching, tidying up.
 *
 *     npx treadle up examples/09-saga-and-try-catch.tsx                     # the car is not available
 *     npx treadle up examples/09-saga-and-try-catch.tsx --set cars=1
 *
 * When a step of a saga fails, the steps that had finished are undone in reverse. `TryCatchFinally`
 * contains a failure: `catch` gets the error, `finally` runs in any case. A task is tried again after a
 * failure unless it says otherwise; `noRetry` is for failures that trying again cannot mend.
 */
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Sequence, Saga, SagaStep, TryCatchFinally, Task, service, outputs } = createService({
  input: z.object({ cars: z.int().optional() }),
  booking: z.object({ what: z.string() }),
  output: z.object({ log: z.array(z.string()) }),
});

function Booking({ what }: { what: "flight" | "hotel" }) {
  return (
    <SagaStep
      id={what}
      compensation={
        <Task id={`cancel-${what}`} output={outputs.booking}>
          {{ what: `${what} cancelled` }}
        </Task>
      }
    >
      <Task id={`book-${what}`} output={outputs.booking}>
        {{ what: `${what} booked` }}
      </Task>
    </SagaStep>
  );
}

export default service((ctx) => (
  <Workflow name="saga-and-try-catch">
    <Sequence>
      <TryCatchFinally
        id="trip"
        try={
          <Saga id="bookings" onFailure="compensate-and-fail">
            <Booking what="flight" />
            <Booking what="hotel" />
            <SagaStep
              id="car"
              compensation={
                <Task id="cancel-car" output={outputs.booking}>
                  {{ what: "car cancelled" }}
                </Task>
              }
            >
              <Task id="book-car" output={outputs.booking} noRetry>
                {() => {
                  if ((ctx.input.cars ?? 0) === 0) throw new Error("There is no car left.");
                  return { what: "car booked" };
                }}
              </Task>
            </SagaStep>
          </Saga>
        }
        catch={(error) => (
          <Task id="apologize" output={outputs.booking}>
            {{ what: `apologized: ${error.message}` }}
          </Task>
        )}
        finally={
          <Task id="notify" output={outputs.booking}>
            {{ what: "customer notified" }}
          </Task>
        }
      />
      <Task id="log" output={outputs.output}>
        {() => ({ log: ctx.outputs.booking.map(({ what }) => what) })}
      </Task>
    </Sequence>
  </Workflow>
));
