import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settingValue } from '../../../../src/host/settings/settingValues.ts';

describe('the value of a setting', () => {
  const given = (values: object): void => {
    Object.assign(vscode.workspace, { getConfiguration: () => ({ inspect: () => values }) });
  };
  after(() => Object.assign(vscode.workspace, { getConfiguration: undefined }));

  it('is the user’s, whatever a workspace or a folder says', () => {
    const others = { workspaceValue: 1, workspaceFolderValue: 1, defaultValue: 1 };
    given({ globalValue: 0.25, ...others });
    assert.equal(settingValue('marginDesk.weightShare'), 0.25);
    given(others);
    assert.equal(settingValue('marginDesk.weightShare'), 0.5);
  });

  it('is the default in place of one that is not accepted', () => {
    given({ globalValue: 2 });
    assert.equal(settingValue('marginDesk.weightShare'), 0.5);
  });
});
