import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  confirmByTypingSetting,
  hidesZeroAssetsSetting,
  httpSetting,
  statusBarSetting,
  timeZoneSetting,
  weightShareSetting,
} from '../../src/host/settings.ts';
import { alertSetting } from '../../src/host/watchSettings.ts';
import { eventually } from '../support/eventually.ts';
import { extensionUnderTest } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

/** Settings with values that they do not take, what counts then, and the sentence that says so. */
const wrong: readonly [string, readonly unknown[], () => unknown, unknown, string][] = [
  [
    'marginDesk.http',
    ['carrier-pigeon', 7],
    httpSetting,
    'vscode',
    'The setting marginDesk.http must be one of vscode, node-fetch: vscode counts.',
  ],
  [
    'marginDesk.weightShare',
    [0, 50, '0.2'],
    weightShareSetting,
    0.5,
    'The setting marginDesk.weightShare must be a number above 0 and at most 1: 0.5 counts.',
  ],
  [
    'marginDesk.statusBarAlignment',
    ['centre'],
    statusBarSetting,
    'right',
    'The setting marginDesk.statusBarAlignment must be one of left, right, hidden: right counts.',
  ],
  [
    'marginDesk.confirmByTyping',
    ['true'],
    confirmByTypingSetting,
    false,
    'The setting marginDesk.confirmByTyping must be true or false: false counts.',
  ],
  [
    'marginDesk.hideZeroAssets',
    [1],
    hidesZeroAssetsSetting,
    false,
    'The setting marginDesk.hideZeroAssets must be true or false: false counts.',
  ],
  [
    'marginDesk.alerts.liquidations',
    ['false'],
    () => alertSetting('liquidations'),
    true,
    'The setting marginDesk.alerts.liquidations must be true or false: true counts.',
  ],
  [
    'marginDesk.timeZone',
    ['Mars/Olympus'],
    timeZoneSetting,
    'local',
    'The setting marginDesk.timeZone is neither local, UTC nor a zone such as Europe/Berlin: local counts.',
  ],
  [
    'marginDesk.criticalPercent',
    [11],
    () => undefined,
    undefined,
    'The settings marginDesk.criticalPercent and marginDesk.nearPercent must be above 0 and at most 100, and the first no more than the second: 5 and 10 count.',
  ],
];

describe('a setting with a value that it does not take', () => {
  const messages = scriptedMessages();
  const said = () => messages.shown.map(({ text }) => text);
  const write = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

  before(() => extensionUnderTest());

  for (const [key, values, read, counts, sentence] of wrong)
    it(`is told for ${key}, once a value, and its default counts`, async () => {
      try {
        for (const value of values) {
          messages.shown.length = 0;
          await write(key, value);
          await eventually('the sentence', () => said().length);
          await write('marginDesk.pollSeconds.unfocused', 61);
          await write('marginDesk.pollSeconds.unfocused', undefined);
          assert.deepEqual(said(), [sentence]);
          assert.equal(read(), counts);
        }
      } finally {
        await write(key, undefined);
      }
    });
});
