/** The kernels of boosting, over the one shared memory of a run. */
import { loadKernel } from '../../../kernels/load.js';

export type TreeKernels = ReturnType<typeof loadTreeKernels>;

export function loadTreeKernels(memory: WebAssembly.Memory) {
  return {
    binning: loadKernel('binning', memory),
    gradients: loadKernel('gradients', memory),
    histogram: loadKernel('histogram', memory),
    leaves: loadKernel('leaves', memory),
    partition: loadKernel('partition', memory),
    separable: loadKernel('separable-lambdas', memory),
    splitter: loadKernel('splitter', memory),
  };
}
