import { alertText, isErrorAlert } from '../../../../src/host/alerts/alertNotifications.ts';
import { assertApprovedLines } from '../../../support/approved.ts';
import { aDisplay } from '../../../support/display.ts';
import { someAlerts } from '../../../support/someAlerts.ts';

describe('the text of an alert', () => {
  it('names the account, what happened, and when: figures of several times by the oldest', () => {
    const profile = { name: 'Mine', environment: 'live' } as const;
    const hidden = aDisplay({ hidesMoney: true });
    const lines = Object.entries(someAlerts).flatMap(([name, alert]) => [
      `# ${name}, ${isErrorAlert(alert) ? 'error' : 'warning'}`,
      alertText(alert, profile, aDisplay()),
      ...(alert.kind === 'equity' ? [alertText(alert, profile, hidden)] : []),
    ]);
    assertApprovedLines('alerts/texts', lines);
  });
});
