import { registerHooks } from 'node:module';
import { eventually } from './eventually.ts';

/** A fresh process in which somebody says no to a cancel-all once what would carry it is loaded. */
let isLoaded = false;
registerHooks({
  load: (url, context, next) => {
    isLoaded ||= url.includes('/node-fetch/');
    return next(url, context);
  },
});
const { cancelAllUnderTest } = await import('./cancelAllUnderTest.ts');
const loaded = async (): Promise<boolean> => {
  await eventually('the library to be loaded', () => isLoaded);
  return false;
};
await cancelAllUnderTest({ says: [loaded] }).cancelAll.run();
