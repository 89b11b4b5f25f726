/**
 * 4. A pipeline: tasks that name what they need.
 *
 *     npx treadle up examples/04-pipeline.tsx
 *     npx treadle graph examples/04-pipeline.tsx --format mermaid
 *
 * `deps` does two things: a task waits for the tasks it names, and its function gets their rows, typed,
 * when it starts. The build function below reads nothing from `ctx`, so the tree never changes and is
 * rendered once, however many rows the run writes. Prefer this to reading rows while rendering.
 */
import { createService } from "treadle";
import { z } from "zod";

const { Workflow, Parallel, Task, service, outputs } = createService({
  orders: z.object({
    orders: z.array(z.object({ region: z.string(), product: z.string(), amount: z.number() })),
  }),
  totals: z.object({ totals: z.record(z.string(), z.number()) }),
  output: z.object({ revenue: z.number(), bestRegion: z.string(), bestProduct: z.string() }),
});

const EXPORT = `region,product,amount
north,kettle,120.50
south,kettle,80.25
north,lamp,45.00
west,lamp,210.75
south,chair,99.50`;

/** `by=north` and so on: sums amounts by one column. */
function sumBy<K extends string>(orders: readonly ({ amount: number } & Record<K, string>)[], column: K) {
  const totals: Record<string, number> = {};
  for (const order of orders) totals[order[column]] = (totals[order[column]] ?? 0) + order.amount;
  return totals;
}

function largest(totals: Readonly<Record<string, number>>): string {
  const [first] = Object.entries(totals).sort(([, a], [, b]) => b - a);
  return first?.[0] ?? "none";
}

export default service(() => (
  <Workflow name="pipeline">
    {/* Everything in a Parallel may start at once; here `deps` alone decide the order. */}
    <Parallel>
      <Task id="orders" output={outputs.orders}>
        {() => {
          const [, ...lines] = EXPORT.split("\n");
          const orders = lines.map((line) => {
            const [region = "", product = "", amount] = line.split(",");
            return { region, product, amount: Number(amount) };
          });
          return { orders };
        }}
      </Task>
      <Task id="by-region" output={outputs.totals} deps={{ orders: outputs.orders }}>
        {({ orders: { orders } }) => ({ totals: sumBy(orders, "region") })}
      </Task>
      <Task id="by-product" output={outputs.totals} deps={{ orders: outputs.orders }}>
        {({ orders: { orders } }) => ({ totals: sumBy(orders, "product") })}
      </Task>
      {/* `needs` says which task a name stands for, when the two differ. */}
      <Task
        id="summary"
        output={outputs.output}
        needs={{ regions: "by-region", products: "by-product" }}
        deps={{ regions: outputs.totals, products: outputs.totals }}
      >
        {({ regions, products }) => ({
          revenue: Object.values(regions.totals).reduce((sum, amount) => sum + amount, 0),
          bestRegion: largest(regions.totals),
          bestProduct: largest(products.totals),
        })}
      </Task>
    </Parallel>
  </Workflow>
));
