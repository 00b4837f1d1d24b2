import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settingValue } from '../../src/host/settings/settingValues.ts';
import { eventually } from '../support/eventually.ts';
import { activatedExtension } from '../support/extensionUnderTest.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';

const share = 'marginDesk.weightShare';
const alignment = 'marginDesk.statusBarAlignment';
const percents = ['marginDesk.criticalPercent', 'marginDesk.nearPercent'];

describe('an invalid setting', () => {
  const messages = scriptedMessages();
  const access = activatedExtension();
  const shown = () => messages.shown.map(({ text }) => text);
  const write = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

  afterEach(async () => {
    for (const key of [share, alignment, ...percents]) await write(key, undefined);
  });

  it('is reported once for each value, and the default is used', async () => {
    const rule = `The setting ${share} must be a number above 0 and at most 1. Using 0.5.`;
    for (const [index, value] of [0, 50].entries()) {
      await write(share, value);
      await eventually('the warning', () => shown().length > index);
      assert.equal(settingValue(share), 0.5);
    }
    await write(alignment, 'top');
    await eventually('the warning of another', () => shown().length > 2);
    assert.deepEqual(shown().slice(0, 2), [rule, rule]);
    assert.match(shown()[2] ?? '', /^The setting marginDesk\.statusBarAlignment must be one of /);
    assert.equal(shown().length, 3);
  });

  it('is each of the two percentages if the first exceeds the second, also if each is valid alone', async () => {
    await write('marginDesk.criticalPercent', 11);
    await eventually('the warning', () => shown().length > 0);
    assert.match(shown()[0] ?? '', /the first must not exceed the second\. Using 5 and 10\.$/);
    assert.deepEqual(access.app.risk.limits, { nearPercent: 10, criticalPercent: 5 });
  });
});
