export { clamp } from "./clamp.js";
