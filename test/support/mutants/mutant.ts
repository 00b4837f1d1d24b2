/** A small fault that a developer could make, put into one source file, and the test that finds it. */
export type Mutant = {
  /** What is wrong then, in one sentence: "The last row of a full page is lost." */
  readonly fault: string;
  /** The source file, from `src`. */
  readonly file: string;
  /** Text that the file has once, and what stands there instead. */
  readonly from: string;
  readonly to: string;
  /** The test file that fails, from `test`: under `unit`, `exchange` or `host`, or a page in a browser under `workbench`. */
  readonly killedBy: string;
};
