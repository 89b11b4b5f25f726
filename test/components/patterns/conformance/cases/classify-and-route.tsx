import { createService } from "treadle";
import { z } from "zod";
import type { CompositeCase, End } from "../composite-case.js";

const module = createService(
  {
    classification: z.object({
      classifications: z.array(z.object({ category: z.string(), itemId: z.string() })),
    }),
    handled: z.object({ by: z.string() }),
  },
  { dbPath: ":memory:" },
);
const { ClassifyAndRoute, outputs } = module;

const ITEMS = [{ id: "T-1" }, { id: "a b" }, { id: "T-3" }];
/** `a b` as it stands in an id. */
const NODES = ["T-1", "a:20b", "T-3"];
const categoryOf = (index: number) => (index === 2 ? "contract" : "bug");

function end(id: string, size: number, failed?: number): End {
  const items = ITEMS.slice(0, size);
  const routes = items.map((item, index) => ({ itemId: item.id, category: categoryOf(index) }));
  return {
    nodes: {
      [`${id}-classify`]: { classifications: routes },
      [`${id}-assign`]: { routes: routes.map((route, index) => ({ ...route, item: ITEMS[index] })) },
      ...Object.fromEntries(
        items.map((_item, index) => [
          `${id}-route-${NODES[index]}`,
          index === failed ? "failed" : { by: categoryOf(index) },
        ]),
      ),
    },
  };
}

/** Members are items. */
export const classifyAndRoute: CompositeCase = {
  module,
  mount: ({ id, size, isFailing, skipIf, agent }) => (
    <ClassifyAndRoute
      {...(id !== undefined && { id })}
      items={ITEMS.slice(0, size)}
      categories={{
        bug: agent(({ nodeId }) => {
          if (isFailing && nodeId.endsWith("a:20b")) throw new TypeError("broken");
          return { by: "bug" };
        }),
        contract: agent(() => ({ by: "contract" })),
      }}
      classifierAgent={agent(() => ({
        classifications: ITEMS.slice(0, size).map((item, index) => ({
          itemId: item.id,
          category: categoryOf(index),
        })),
      }))}
      classifierOutput={outputs.classification}
      routeOutput={outputs.handled}
      skipIf={skipIf}
    />
  ),
  none: () => ({ nodes: {} }),
  one: (id) => end(id, 1),
  many: (id) => end(id, 3),
  failing: (id) => end(id, 3, 1),
};
