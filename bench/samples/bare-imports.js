import { openFloor, writeFloor } from "../floor.js";
import "react";
import "zod";

// node bench/samples/bare-imports.js DATABASE: bare-start.js with what every workflow file imports besides the engine.
writeFloor(openFloor(process.argv[2]), 1);
process.exit();
