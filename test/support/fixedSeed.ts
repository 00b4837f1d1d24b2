import fc from 'fast-check';
import { isSoakRun } from './soakRun.ts';

/** Mocha loads this first: properties draw the same cases in every usual run, and others in every soak run. */
if (!isSoakRun) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
