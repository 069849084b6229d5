/** Threads are started at once, also for the small data of tests: for test files that are about what threads do. */
import { costs } from '#listwise/threads/worthwhile.js';

costs.start = 0;
