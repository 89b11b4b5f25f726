import { runWorkflow } from "treadle";
// Another package writes the name of this one here, and has it, treadle, react and zod among its dependencies.
import { invoice } from "./index.js";

const { status, output } = await runWorkflow(invoice, { input: { customer: "Ada", cents: [1250, 399] } });
console.log(status, output);
