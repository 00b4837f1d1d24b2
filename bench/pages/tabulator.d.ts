/** What the bench uses of a library that has no types of its own. */
declare module 'tabulator-tables' {
  export class Tabulator {
    static registerModule(modules: readonly object[]): void;
    constructor(element: HTMLElement, options: object);
    setData(rows: readonly object[]): Promise<void>;
  }
  export const ClipboardModule: object;
  export const ExportModule: object;
  export const FormatModule: object;
  export const FrozenColumnsModule: object;
  export const InteractionModule: object;
  export const KeybindingsModule: object;
  export const MoveColumnsModule: object;
  export const ResizeColumnsModule: object;
  export const SelectRangeModule: object;
  export const SortModule: object;
}
