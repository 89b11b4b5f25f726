import { openFloor, writeFloor } from "../floor.js";
import { scratch } from "../scratch.js";
import { report, timed } from "./report.js";

// node bench/samples/floor.js TASKS
const folder = scratch();
const db = openFloor(folder.path);
report(await timed(() => writeFloor(db, Number(process.argv[2]))));
db.close();
folder.dispose();
