/** What the bench uses of a library that has no types of its own. */
declare module 'tabulator-tables' {
  export class Tabulator {
    static registerModule(modules: readonly object[]): void;
    constructor(element: HTMLElement, options: object);
    setData(rows: readonly object[]): Promise<void>;
  }
  export const FormatModule: object;
  export const FrozenColumnsModule: object;
  export const ResizeColumnsModule: object;
  export const SortModule: object;
}
