/** `listwise/serve`: models behind HTTP. Nothing that trains is loaded. */
export type { LogOptions, ServeOptions } from './options.js';
export type { Limits } from './request.js';
export type { Reload } from './served-models.js';
export { type RunningServer, serve } from './server.js';
