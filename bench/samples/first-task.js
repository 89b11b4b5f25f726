import { runWorkflow } from "treadle";
import { sequence } from "../workflows.js";

// node bench/samples/first-task.js DATABASE: a program that ends as soon as its first task is executed.
await runWorkflow(
  sequence(1, process.argv[2], () => process.exit()),
  { input: {} },
);
