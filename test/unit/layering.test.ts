import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Which rooms a room may import from. Read from the import lines. */
const allowedRooms: Record<string, readonly string[]> = {
  api: [],
  base: ['api'],
  exchange: ['api', 'base'],
  ledger: ['exchange', 'api', 'base'],
  account: ['ledger', 'exchange', 'api', 'base'],
  practice: ['base'],
  protocol: ['api', 'base'],
  agents: ['ledger', 'api', 'base'],
  host: ['agents', 'account', 'ledger', 'protocol', 'api', 'base'],
  pages: ['protocol', 'api', 'base'],
  extension: ['host'],
};

/** Packages and built-in modules that only the named files may import. */
const reserved: { readonly module: RegExp; readonly places: RegExp }[] = [
  { module: /^vscode$/, places: /^(?:host\/|extension\.ts$)/ },
  { module: /^node-fetch$/, places: /^exchange\/http\/fetch\.ts$/ },
  { module: /^(?:node:)?(?:https?|http2|net|tls)$/, places: /^practice\// },
  {
    module: /^node:/,
    places: /^(?:exchange|practice|host|ledger|agents|account\/(?:export|statement))\//,
  },
  { module: /^(?:lit|@vscode-elements)/, places: /^pages\// },
];

type Import = { readonly specifier: string; readonly typeOnly: boolean };

const root = join(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
/** Called by VS Code. */
const allowedExports = ['extension.ts: activate'];

describe('the import directions', () => {
  it('finds the source files and their imports', () => {
    assert.ok(files.length > 30);
    assert.ok(importsOf('extension.ts').some(({ specifier }) => specifier === './host/app.ts'));
  });

  it('hold in every file', () => {
    const breaches = files.flatMap((file) =>
      importsOf(file).flatMap((imported) => breach(file, imported) ?? []),
    );
    assert.deepEqual(breaches, []);
  });

  it('allow the global fetch and SecretStorage in one file each, and no WebSocket', () => {
    const users = (pattern: RegExp) =>
      files.filter((file) => pattern.test(sources.get(file) ?? ''));
    assert.deepEqual(users(/\bglobalThis\.fetch\b|[^.\w]fetch\(/), ['exchange/http/fetch.ts']);
    assert.deepEqual(users(/\bWebSocket\b|\bXMLHttpRequest\b/), ['base/withoutNetwork.ts']);
    assert.deepEqual(users(/\.secrets\b/), ['host/profiles/credentialStore.ts']);
  });

  /** It builds them from `api/fields.ts`, where each field has its privacy. */
  it('allow decoders of answers to be built only in exchange/records.ts', () => {
    const builders = files.filter((file) =>
      decoderImportsOf(file).some((name) => name !== 'DecodeFailure'),
    );
    assert.deepEqual(builders, ['exchange/records.ts']);
  });

  it('leave no circle, type imports included', () => {
    assert.equal(findCircle()?.join(' -> '), undefined);
  });

  it('leave no two folders that import each other, beside those of the same subject', () => {
    assert.deepEqual(folderPairs(), []);
  });

  it('leave no export without an importer', () => {
    const imported = importedNames();
    const unused = [...sources].flatMap(([file, source]) =>
      [...source.matchAll(/^export (?:async )?(?:function\*?|const|class|type) (\w+)/gm)]
        .filter(([, name = '']) => !imported.has(name))
        .map(([, name = '']) => `${file}: ${name}`),
    );
    assert.deepEqual(
      unused.filter((each) => !allowedExports.includes(each)),
      [],
    );
  });

  it('allow no default export, no barrel and no module-level variable that changes', () => {
    for (const [file, source] of sources) {
      assert.doesNotMatch(source, /^export default/m, file);
      assert.doesNotMatch(source, /^export (?:\*|\{[^}]*\}) from/m, file);
      assert.doesNotMatch(source, /^(?:export )?(?:let|var) /m, file);
    }
  });
});

function breach(file: string, { specifier, typeOnly }: Import): string | undefined {
  if (!specifier.startsWith('.')) {
    const rule = reserved.find(({ module }) => module.test(specifier));
    return !rule || rule.places.test(file) ? undefined : `${file} imports ${specifier}`;
  }
  const target = resolve(file, specifier);
  const [from, to] = [roomOf(file), roomOf(target)];
  if (from === to || allowedRooms[from]?.includes(to)) return undefined;
  if (from === 'host' && to === 'exchange' && mayHostTake(file, target, typeOnly)) return undefined;
  if (from === 'practice' && target === 'exchange/records.ts' && typeOnly) return undefined;
  return `${file} imports ${target}`;
}

/**
 * The host reaches the exchange through `account`. It imports types, errors and identities of `exchange`, and
 * where it builds or describes a connection also schemes, conventions and the base URL: never the client, nor
 * the key that opens an account's client.
 */
function mayHostTake(file: string, target: string, typeOnly: boolean): boolean {
  if (typeOnly || /^exchange\/(?:badRecords|exchangeError|recordIdentity)\.ts$/.test(target))
    return true;
  const describesConnections = /^host\/(?:profiles|settings)\//.test(file);
  return (
    describesConnections &&
    /^exchange\/(?:auth\/|history\/(?:api|exchange)Conventions\.ts|http\/(?:baseUrl|fetch)\.ts)/.test(
      target,
    )
  );
}

function importsOf(file: string): Import[] {
  const source = sources.get(file) ?? '';
  const statics = source.matchAll(
    /^(?:import|export)\s+(type\s)?[^'"]*?(?:from\s+)?['"]([^'"]+)['"]/gm,
  );
  const dynamics = source.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g);
  return [
    ...[...statics].map(([, type, specifier = '']) => ({
      specifier,
      typeOnly: type !== undefined,
    })),
    ...[...dynamics].map(([, specifier = '']) => ({ specifier, typeOnly: false })),
  ];
}

/** The values that a file imports from `exchange/decoders.ts`; a namespace counts as one. */
function decoderImportsOf(file: string): string[] {
  const imports = (sources.get(file) ?? '').matchAll(
    /^import (?!type\s)([^'"]*?) from '[^']*\/decoders\.ts'/gm,
  );
  return [...imports]
    .flatMap(([, names = '']) => names.replaceAll(/[{}]/g, '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

/** The names that any file imports, and those that it takes from a module that it imports as a whole. */
function importedNames(): Set<string> {
  const users = ['src', 'test', 'bench'].flatMap((folder) => {
    const path = join(root, '..', folder);
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.ts')).map((name) => join(path, name));
  });
  return new Set(
    users.flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      const lists = source.matchAll(/\{([^{}]*)\}\s*(?:from|=\s*\(?await import\()/g);
      const wholes = source.matchAll(/^import \* as (\w+)/gm);
      const members = [...wholes].flatMap(([, whole]) => [
        ...source.matchAll(new RegExp(`\\b${whole}\\.(\\w+)`, 'g')),
      ]);
      return [...lists, ...members].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
    }),
  );
}

function resolve(file: string, specifier: string): string {
  return relative(root, join(root, dirname(file), specifier)).replaceAll('\\', '/');
}

function roomOf(file: string): string {
  return (file.split('/')[0] ?? '').replace(/\.ts$/, '');
}

function findCircle(): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    const circle = importsOf(file)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => visit(resolve(file, specifier), [...path, file]))
      .find((found) => found !== undefined);
    done.add(file);
    return circle;
  };
  return files.map((file) => visit(file, [])).find((circle) => circle !== undefined);
}

/** The folders that import each other, type imports included; a folder and one inside of it are one subject. */
function folderPairs(): string[] {
  const imports = new Set(
    files.flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => `${dirname(file)} <-> ${dirname(resolve(file, specifier))}`),
    ),
  );
  return [...imports]
    .filter((pair) => {
      const [from = '', to = ''] = pair.split(' <-> ');
      return from < to && !to.startsWith(`${from}/`) && imports.has(`${to} <-> ${from}`);
    })
    .toSorted();
}
