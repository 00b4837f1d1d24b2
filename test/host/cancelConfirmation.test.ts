import assert from 'node:assert/strict';
import type { CancelPlan } from '../../src/account/cancelAll/cancelPlan.ts';
import type { Environment } from '../../src/account/session/profile.ts';
import { confirmCancelAll } from '../../src/host/cancelAll/cancelAllCommand.ts';
import { aProfile } from '../support/builders.ts';
import { cancelAllUnderTest } from '../support/cancelAllUnderTest.ts';
import { aDisplay } from '../support/display.ts';
import { FakeClock } from '../support/fakeClock.ts';
import { scriptedMessages } from '../support/scriptedMessages.ts';
import { writeUserSetting } from '../support/userSetting.ts';

const confirmButton = 'Cancel All Orders';
const liveButton = 'Cancel All LIVE Orders';
const keepButton = 'Keep Orders';

describe('the question before a cancel-all', () => {
  const messages = scriptedMessages();
  let clock: FakeClock;
  beforeEach(() => (clock = new FakeClock()));
  afterEach(() => writeUserSetting('marginDesk.confirmByTyping', undefined));

  function ask(environment: Environment): Promise<boolean> {
    const { world, openAccount } = cancelAllUnderTest();
    world.account = openAccount({ profile: aProfile({ environment }) });
    const plan: CancelPlan = {
      account: world.account,
      figures: { locked: [], badRecords: [], lockedAssets: [], asOf: clock.now() },
      unreadReason: undefined,
      recentCancels: [],
      plannedAt: clock.now(),
      sendableAt: undefined,
    };
    return confirmCancelAll(plan, undefined, { display: aDisplay(), clock });
  }

  /** Presses a button some time after the question. */
  const press = (button: string, afterMs: number) => async (): Promise<string> => {
    await clock.advance(afterMs);
    return button;
  };

  it('rejects every confirmation within 700 ms on LIVE as an accidental key', async () => {
    messages.answers.push(press(liveButton, 0), press(liveButton, 699), press(liveButton, 700));
    assert.equal(await ask('live'), true);
    const [first, ...again] = messages.shown.map(({ detail }) => detail);
    assert.equal(again.length, 2);
    for (const detail of again)
      assert.equal(
        detail,
        `The confirmation came so soon that it counts as an accidental key. Nothing was sent; please confirm again.\n\n${first}`,
      );
  });

  it('sends nothing when the second question is declined or closed', async () => {
    messages.answers.push(press(liveButton, 0), press(keepButton, 5000));
    assert.equal(await ask('live'), false);
    messages.answers.push(press(liveButton, 0));
    assert.equal(await ask('live'), false);
  });

  it('accepts the first confirmation on TEST and PRACTICE', async () => {
    for (const environment of ['test', 'practice'] as const) {
      messages.shown.length = 0;
      messages.answers.push(press(confirmButton, 0));
      assert.equal(await ask(environment), true);
      assert.deepEqual(messages.shown[0]?.buttons, [confirmButton, keepButton]);
    }
  });

  it('has icon, words and buttons of its own on LIVE, of which the first sends nothing', async () => {
    messages.answers.push(press(keepButton, 5000));
    assert.equal(await ask('live'), false);
    assert.equal(await ask('test'), false);
    assert.deepEqual(
      messages.shown.map(({ text, severity, buttons }) => [text, severity, buttons]),
      [
        [
          'LIVE · Mine — cancel ALL open orders for real?',
          'warning',
          [keepButton, liveButton, keepButton],
        ],
        ['TEST · Mine — cancel ALL open orders?', 'information', [confirmButton, keepButton]],
      ],
    );
  });
});
