/** `listwise/serve`: models behind HTTP. Nothing that trains is loaded. */
export type { LogOptions, ServeOptions } from './options.js';
export { type RunningServer, serve } from './server.js';
