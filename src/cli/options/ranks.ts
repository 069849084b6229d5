/** How the processes that a launcher started share the work of commands that train many models. */
import { choice } from '../command/option.js';

export const spreadOption = {
  spread: choice(
    ['folds'],
    'what',
    'under mpirun or srun: what is shared out among ranks. folds: whole trainings, on a fold or sample each, with all data on every rank',
  ),
};
