export { openStudio, type Studio, type StudioOptions } from './server.js';
