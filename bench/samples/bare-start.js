import { openFloor, writeFloor } from "../floor.js";

// node bench/samples/bare-start.js DATABASE: what is left of first-task.js without an engine.
writeFloor(openFloor(process.argv[2]), 1);
process.exit();
