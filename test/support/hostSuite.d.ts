/** Every host test, put together by `hostSuitePlugin.mjs` when esbuild builds the suite. */
declare module 'host-suite';
