import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { always } from '../../src/base/interval.ts';
import { commands } from '../../src/host/shared/contributions.ts';
import { anAccount, aTrade, wire } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { minuteLimit } from '../support/hostileExchange/options.ts';
import { pressDownload } from '../support/pressDownload.ts';
import { profilesUnderTest } from '../support/profilesUnderTest.ts';
import { folderOfEachTest } from '../support/project.ts';
import { scriptedProgress } from '../support/scriptedProgress.ts';

const hourMs = 3_600_000;
const asset = { name: 'usdt', deposited: '0', margin: '0', locked: '0', isMargin: true, extra: {} };

/** Its ledgers are on a small disk of their own, which only root on Linux can mount. */
describe('the ledger on a disk', () => {
  const harness = profilesUnderTest();
  const { access, messages, serve, run, opened, untilRead } = harness;
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
    remount('rw');
    await ledger().profileLedgers.removeOfProfile('Main');
    execFileSync('umount', [disk]);
  });

  const remount = (mode: 'ro' | 'rw'): void =>
    void execFileSync('mount', ['-o', `remount,${mode}`, disk]);
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

  /** An account whose balance changes with each read. */
  const traded = () =>
    serve(({ url = '' }, response) => {
      const now = Date.now();
      if (url.includes('exchangeInfo'))
        response.end(
          `{"rateLimits":${minuteLimit(1_000_000)},"timezone":"UTC","serverTime":${now},"symbols":[]}`,
        );
      else if (url.includes('/accounts')) {
        response.end(
          wire(anAccount({ assets: [{ ...asset, deposited: String((deposited += 1)) }] })),
        );
      } else if (url.includes('/trades')) response.end(pageOf(url, now));
      else response.end('{"content":[],"totalElements":0}');
    });

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

  const problems = (): string[] => texts().filter((text) => [full, forbidden].includes(text));

  const full = 'The disk is full. Free some space, then try again.';
  const forbidden = 'No permission to use the file or its folder. Check their permissions.';

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

  it('that cannot be written says so, can be read and backed up, and goes on once it can', async () => {
    await opened('Main', await traded());
    assert.match(await download('days90'), /is downloaded\.$/);
    await access().app.connection.close();
    await eventually('the end of all writes', () => {
      remount('ro');
      return true;
    });
    await run(commands.switchProfile, 'Main');
    await untilRead('Main');
    await run(commands.refresh);
    await eventually('a warning', () => warnings().length > 0);
    assert.deepEqual(warnings(), [`The ledger of LIVE · Main is not kept current. ${forbidden}`]);
    messages.shown.length = 0;
    await pressDownload(ledger(), 'year');
    await eventually('the problem', () => problems().length > 0);
    assert.deepEqual(problems(), [forbidden]);
    messages.shown.length = 0;
    await run(commands.backUpLedger, path.join(disk, 'backup.sqlite'));
    await run(commands.restoreLedger);
    assert.deepEqual(problems(), [forbidden, forbidden]);
    await run(commands.backUpLedger, path.join(elsewhere.path, 'backup.sqlite'));
    assert.match(texts().at(-1) ?? '', /was backed up/);
    assert.equal(await rows(), 30);
    remount('rw');
    assert.match(await download('year'), /is downloaded\.$/);
    assert.equal(await rows(), 2000);
  });
});

/** 30 trades of the last 90 days, and 1970 older ones. */
function pageOf(url: string, now: number): string {
  const newest = Math.floor(now / hourMs) * hourMs - hourMs;
  const all = Array.from({ length: 2000 }, (_none, index) => {
    const ageMs = index * 60_000 + (index < 30 ? 0 : 100 * 24 * hourMs);
    return aTrade({ tradeId: String(2000 - index), time: String(newest - ageMs) });
  });
  const query = new URL(url, 'http://localhost').searchParams;
  const from = Number(query.get('dateFrom') ?? 0);
  const to = Number(query.get('dateTo') ?? Infinity);
  const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 100)];
  const own = all.filter(({ time }) => Number(time) >= from && Number(time) <= to);
  return `{"content":${wire(own.slice(page * size, (page + 1) * size))},"totalElements":${own.length}}`;
}
