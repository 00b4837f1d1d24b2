import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { bundles } from '../../build/bundles.ts';
import { agentsOfEachTest, practiceContent } from '../support/agentsUnderTest.ts';
import { projectRoot, temporaryFolder, type TemporaryFolder } from '../support/project.ts';

const forbidden = ['net', 'http', 'http2', 'https', 'tls', 'dns', 'dgram', 'child_process'];

describe('the server for agents', () => {
  const agents = agentsOfEachTest();
  const metafiles = new Map<string, Metafile>();
  let dist: TemporaryFolder;
  let client: Client | undefined;

  before(async () => {
    dist = await temporaryFolder();
    for (const name of ['ledgerServer', 'ledgerWorker']) {
      const outfile = path.join(dist.path, `${name}.cjs`);
      const { metafile } = await build({
        ...bundleOf(name),
        outfile,
        metafile: true,
        minify: true,
      });
      metafiles.set(name, metafile);
    }
  });
  after(() => dist.remove());
  afterEach(async () => {
    await client?.close();
    client = undefined;
  });

  /** As VS Code starts it. */
  async function connect(): Promise<Client> {
    const file = (name: string): string => path.join(dist.path, name);
    const own = [file('ledgerServer.cjs'), path.join(agents.folder, 'agents')];
    const flags = ['--disallow-code-generation-from-strings'];
    const args = [...flags, ...own, file('ledgerWorker.cjs'), '1.0.0'];
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    return client;
  }

  it('answers every tool as its schema says', async () => {
    agents.ledger(practiceContent());
    const connected = await connect();
    const { tools } = await connected.listTools();
    assert.equal(tools.length, 9);
    const [order] = await agents.askAll('find_records', { history: 'orders', limit: 200 });
    const own: Record<string, object> = {
      find_records: { history: 'trades' },
      summarize: { view: 'fees' },
      explain_order: { id: order?.orderId },
      check_account: { check: 'reconciliation' },
    };
    for (const { name } of tools) {
      const account = name === 'list_accounts' ? {} : { account: 'Practice' };
      // The client checks the answer against the schema.
      const answer = await connected.callTool({ name, arguments: { ...account, ...own[name] } });
      assert.equal(answer.isError, undefined, name);
      const [{ text = '' } = {}] = answer.content as { text?: string }[];
      assert.deepEqual(JSON.parse(text), answer.structuredContent);
    }
  });

  it('says what is wrong, as data, and ends with what it may', async () => {
    agents.ledger(practiceContent());
    const connected = await connect();
    const codeOf = async (question: object): Promise<unknown> => {
      const asked = { name: 'get_coverage', arguments: { account: 'Practice', ...question } };
      const { content, isError } = await connected.callTool(asked);
      const [{ text = '' } = {}] = content as { text?: string }[];
      return isError ? (JSON.parse(text) as { error: { code: string } }).error.code : undefined;
    };
    assert.equal(await codeOf({}), undefined);
    assert.equal(await codeOf({ from: 'yesterday' }), 'invalidInput');
    assert.equal(await codeOf({ account: 'Other' }), 'notAllowed');
    await assert.rejects(connected.callTool({ name: 'cancel_all', arguments: {} }));
    const [grant = assert.fail()] = agents.grants.read();
    writeFileSync(grant.ledger, 'no ledger');
    assert.equal(await codeOf({}), 'unavailable');
    rmSync(grant.ledger);
    assert.equal(await codeOf({}), 'noLedger');
    agents.ledger({ records: {} });
    assert.equal(await codeOf({}), undefined);
    agents.grants.revoke();
    assert.equal(await codeOf({}), 'notAllowed');
  });

  it('has neither network, nor processes, nor code made of text', () => {
    for (const [name, { inputs, outputs }] of metafiles) {
      const imported = Object.values(outputs).flatMap((output) =>
        output.imports.map((each) => each.path.replace('node:', '')),
      );
      assert.ok(
        imported.every((module) => isBuiltin(`node:${module}`)),
        name,
      );
      assert.deepEqual(
        imported.filter((module) => forbidden.includes(module)),
        [],
      );
      const files = Object.keys(inputs);
      assert.ok(files.some((file) => file.startsWith('src/ledger/')));
      assert.ok(files.includes('src/base/withoutNetwork.ts'), name);
      assert.deepEqual(
        files.filter((file) =>
          /^src\/(?:exchange\/(?:http|auth|client)|account|host|pages)/.test(file),
        ),
        [],
      );
      for (const file of files.filter((each) => each.startsWith('src/')))
        assert.doesNotMatch(
          readFileSync(path.join(projectRoot, file), 'utf8'),
          /\bfetch\(|new WebSocket|\beval\(|new Function|\bimport\(|from 'vscode'/,
          file,
        );
    }
  });
});

function bundleOf(name: string): BuildOptions {
  return bundles.find(({ outfile }) => outfile === `dist/${name}.cjs`) ?? assert.fail(name);
}
