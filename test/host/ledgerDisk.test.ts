import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, aTrade } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { pressDownload } from '../support/pressDownload.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';
import { hourlyTrades, tradedExchange } from '../support/tradedExchange.ts';

const hourMs = 3_600_000;
const asset = { name: 'usdt', deposited: '0', margin: '0', locked: '0', isMargin: true, extra: {} };

/** 30 trades of the last 90 days, and 1970 older ones. */
const recent = hourlyTrades(30, 2000);
const older = Array.from({ length: 1970 }, (_none, index) => {
  const ageMs = 100 * 24 * hourMs + index * 60_000;
  return aTrade({ tradeId: String(1970 - index), time: String(Number(recent[0]?.time) - ageMs) });
});

/** Its ledgers are on a small disk of their own, which only root on Linux can mount. */
describe('the ledger on a disk', () => {
  const harness = profilesUnderTest();
  const { access, messages, serve, run, opened } = harness;
  scriptedProgress();
  const elsewhere = folderOfEachTest();
  const ledger = () => access().app.ledger;
  const shown = () => ledger().shown.current;
  const texts = (): string[] => messages.shown.map(({ text }) => text);
  let disk: string;
  let deposited: number;

  beforeEach(function () {
    disk = path.join(access().context.globalStorageUri.fsPath, 'ledgers');
    mkdirSync(disk, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    deposited = 1000;
  });

  afterEach(async () => {
    await ledger().profileLedgers.removeOfProfile('Main');
    execFileSync('umount', [disk]);
  });

  const filler = (): string => path.join(disk, 'filler');

  /** Writes until there is no room. */
  function fillDisk(): void {
    const file = openSync(filler(), 'w');
    const block = Buffer.alloc(4096);
    try {
      assert.throws(() => {
        for (;;) writeSync(file, block);
      }, /ENOSPC/);
    } finally {
      closeSync(file);
    }
  }

  /** The balance changes with each read. */
  const traded = () =>
    serve(
      tradedExchange({
        account: () => anAccount({ assets: [{ ...asset, deposited: String((deposited += 1)) }] }),
        trades: () => [...recent, ...older],
      }),
    );

  async function download(period: 'days90' | 'year'): Promise<string> {
    messages.shown.length = 0;
    await pressDownload(ledger(), period);
    return eventually('the end of the download', () =>
      texts().find((text) => /is downloaded\.$|continues from there\.$/.test(text)),
    );
  }

  const rows = async (): Promise<number> => {
    const query = {
      history: 'trades',
      period: always,
      filters: {},
      search: '',
      sort: null,
    } as const;
    return (await shown()?.reader.rows(query, 0, 1))?.total ?? assert.fail('no ledger is shown');
  };
  const checkpoints = async (): Promise<number> =>
    (await shown()?.reader.checkpoints({ from: 0, to: Number.MAX_SAFE_INTEGER }))?.length ?? 0;
  const warnings = (): string[] => texts().filter((text) => text.includes('not kept current'));

  const problems = (): string[] => texts().filter((text) => text === full);

  const full = 'The disk is full. Free some space, then try again.';

  it('that is full says so, keeps what it has, and continues once there is room', async () => {
    await opened('Main', await traded());
    assert.match(await download('days90'), /is downloaded\.$/);
    await run(commands.refresh);
    await eventually('a checkpoint', async () => (await checkpoints()) > 0);
    const backup = path.join(elsewhere.path, 'backup.sqlite');
    await run(commands.backUpLedger, backup);
    fillDisk();
    assert.equal(
      await download('year'),
      `${full} What was read is stored; “Download History…” continues from there.`,
    );
    for (let read = 0; read < 3; read += 1) await run(commands.refresh);
    await eventually('a warning', () => warnings().length > 0);
    assert.deepEqual(warnings(), [`The ledger of LIVE · Main is not kept current. ${full}`]);
    messages.shown.length = 0;
    await run(commands.backUpLedger, path.join(disk, 'backup.sqlite'));
    messages.answers.push('Replace');
    await run(commands.restoreLedger, backup);
    assert.deepEqual(problems(), [full, full]);
    assert.equal(await rows(), 30);
    assert.deepEqual(
      readdirSync(disk).filter((name) => /draft|backup/.test(name)),
      [],
    );
    const before = await checkpoints();
    rmSync(filler());
    assert.match(await download('year'), /is downloaded\.$/);
    assert.equal(await rows(), 2000);
    await run(commands.refresh);
    await eventually('another checkpoint', async () => (await checkpoints()) > before);
  });
});
