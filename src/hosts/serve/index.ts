// treadle/serve
export { createServeApp, type ServeOptions } from "./create-serve-app.js";
