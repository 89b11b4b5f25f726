// What the other packages of the monorepo import.
export { default as invoice } from "./invoice.js";
