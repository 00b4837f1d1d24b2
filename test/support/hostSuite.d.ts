/** Every host test by its name, as found by `build/plugins.ts` when esbuild builds the suite. */
declare module 'host-suite' {
  export const hostTests: Readonly<Record<string, () => Promise<unknown>>>;
}
