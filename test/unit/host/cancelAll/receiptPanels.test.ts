import assert from 'node:assert/strict';
import { ReceiptPanels } from '../../../../src/host/cancelAll/receiptPanels.ts';
import { cancelAllUnderTest, reportOf } from '../../../support/cancelAllUnderTest.ts';

/** Panels without VS Code; `closed` has the receipts whose panels were closed. */
function receiptPanels() {
  const closed: string[] = [];
  const open = {
    show: () => undefined,
    get: (id: string) => ({ update: () => undefined, dispose: () => void closed.push(id) }),
  };
  const options = { documents: { add: () => open } };
  type Options = ConstructorParameters<typeof ReceiptPanels>[0];
  return { closed, panels: new ReceiptPanels(options as unknown as Options) };
}

describe('the receipts that open by themselves', () => {
  for (const [what, isSaved, closes] of [
    ['take the place of the one before', true, ['one']],
    ['leave one that could not be stored: it is nowhere else', false, []],
  ] as const)
    it(what, async () => {
      const { cancelAll, report } = cancelAllUnderTest();
      await cancelAll.run();
      const { closed, panels } = receiptPanels();
      for (const id of ['one', 'two']) {
        const receipt = { ...report(), id };
        panels.update(reportOf(receipt, { isSaved }));
        panels.showUnasked(receipt);
      }
      assert.deepEqual(closed, closes);
    });

  it('leave one that the user has asked for since', async () => {
    const { cancelAll, report } = cancelAllUnderTest();
    await cancelAll.run();
    const { closed, panels } = receiptPanels();
    const [one, two] = ['one', 'two'].map((id) => ({ ...report(), id }));
    assert.ok(one && two);
    panels.update(reportOf(one));
    panels.showUnasked(one);
    panels.show(one);
    panels.showUnasked(two);
    assert.deepEqual(closed, []);
  });
});
