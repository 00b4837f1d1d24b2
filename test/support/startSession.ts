import path from 'node:path';
import { projectRoot } from './project.ts';
import type { Settings } from './userSettings.ts';

/** An extension beside Margin Desk that opens the practice account: its side bar, and the overview. */
export const practiceWindow = path.join(projectRoot, 'test/support/practiceWindow');

/** One run of `npm start`. */
export type StartSession = {
  /** Holds everything VS Code keeps between runs. */
  readonly folder: string;
  /** The folder that is opened. */
  readonly workspace: string;
  readonly settings: Settings;
  /** What must be ended, and waited for, when the person presses Ctrl-C. */
  readonly endings: (() => Promise<void>)[];
};
