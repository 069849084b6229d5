/** Every experiment, in the order of the papers; those of no paper come last. */
import type { Experiment } from '../experiment.js';
import { burges2006Figure1 } from './burges-2006-figure-1.js';
import { burges2006Figure2 } from './burges-2006-figure-2.js';
import { burges2006Figure2Right } from './burges-2006-figure-2-right.js';
import { burges2006Figure3 } from './burges-2006-figure-3.js';
import { donmez2009Escape } from './donmez-2009-escape.js';
import { donmez2009Figure5 } from './donmez-2009-figure-5.js';
import { donmez2009LocalOptimality } from './donmez-2009-local-optimality.js';
import { donmez2009Tables12 } from './donmez-2009-tables-1-2.js';
import { donmez2009Tables34 } from './donmez-2009-tables-3-4.js';
import { donmez2009TwoLayers } from './donmez-2009-two-layers.js';
import { papersRivals } from './papers-rivals.js';
import { qin2010Approximation } from './qin-2010-approximation.js';
import { qin2010Ohsumed } from './qin-2010-ohsumed.js';
import { qin2010Tables23 } from './qin-2010-tables-2-3.js';
import { svore2011Figure7 } from './svore-2011-figure-7.js';
import { svore2011Figures24 } from './svore-2011-figures-2-4.js';
import { svore2011Figures56 } from './svore-2011-figures-5-6.js';
import { svore2011Table1 } from './svore-2011-table-1.js';
import { svore2011Table2 } from './svore-2011-table-2.js';
import { treesOnLetor } from './trees-on-letor.js';
import { tuneMq2008 } from './tune-mq2008.js';
import { yilmaz2010Figures45 } from './yilmaz-2010-figures-4-5.js';
import { yilmaz2010Informativeness } from './yilmaz-2010-informativeness.js';
import { yilmaz2010Ohsumed } from './yilmaz-2010-ohsumed.js';
import { yilmaz2010Table5 } from './yilmaz-2010-table-5.js';
import { yilmaz2010Tables23 } from './yilmaz-2010-tables-2-3.js';

export const experiments: readonly Experiment[] = [
  burges2006Figure1,
  burges2006Figure2,
  burges2006Figure2Right,
  burges2006Figure3,
  donmez2009Tables12,
  donmez2009LocalOptimality,
  donmez2009Escape,
  donmez2009TwoLayers,
  donmez2009Tables34,
  donmez2009Figure5,
  yilmaz2010Informativeness,
  yilmaz2010Tables23,
  yilmaz2010Figures45,
  yilmaz2010Ohsumed,
  yilmaz2010Table5,
  qin2010Approximation,
  qin2010Ohsumed,
  qin2010Tables23,
  svore2011Figures24,
  svore2011Table1,
  svore2011Table2,
  svore2011Figures56,
  svore2011Figure7,
  papersRivals,
  treesOnLetor,
  tuneMq2008,
];
