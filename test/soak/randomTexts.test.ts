import assert from 'node:assert/strict';
import path from 'node:path';
import { ledgerInThisThread, saveRecords } from '../support/ledgerUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { RandomTexts } from '../support/randomTexts.ts';

const megabyte = 2 ** 20;

describe('10 MB of random text', () => {
  const folder = folderOfEachTest();

  it('have no link to an id that is not in the ledger, and one to each that is', async () => {
    const random = new RandomTexts();
    const ledger = ledgerInThisThread({ file: path.join(folder.path, 'ledger.sqlite') });
    saveRecords(ledger, 'orders', random.orders);
    let links = 0;
    for (let read = 0; read < 10; read += 1)
      links += await random.linksIn(megabyte, {
        findIds: (places, ids) => Promise.resolve(ledger.findIds(places, ids)),
      });
    ledger.close();
    assert.ok(links > 100);
  });
});
