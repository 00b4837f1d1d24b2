import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { inEnglish } from '../../src/base/phrase.ts';
import { schemeNames, schemes } from '../../src/exchange/auth/scheme.ts';
import {
  colors,
  commands,
  contextKeys,
  languageModelTools,
  mcpProvider,
  panels,
  settingRanges,
  settings,
  views,
  walkthroughs,
} from '../../src/host/shared/contributions.ts';
import { idPlaces } from '../../src/ledger/relatedRecords.ts';
import { assertApprovedLines } from '../support/approved.ts';
import { tableCommands } from '../../src/host/tables/tableCommands.ts';

type Setting = {
  readonly default: unknown;
  readonly scope: string;
  readonly order: number;
  readonly minimum?: number;
  readonly maximum?: number;
};
type Manifest = {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: { untrustedWorkspaces: { supported: boolean | 'limited' } };
  readonly contributes: {
    readonly commands: readonly { command: string; title: string }[];
    readonly views: Record<string, readonly { id: string }[]>;
    readonly viewsContainers: { activitybar: readonly { id: string; icon: string }[] };
    readonly configuration: { properties: Record<string, Setting> };
    readonly menus: Record<string, readonly { command: string; when?: string }[]>;
    readonly colors: readonly { id: string; defaults: Record<string, string> }[];
    readonly viewsWelcome: readonly { when: string }[];
    readonly mcpServerDefinitionProviders: readonly { id: string; when: string }[];
    readonly languageModelTools: readonly {
      name: string;
      when: string;
      inputSchema: { properties: { history?: { enum: readonly string[] } } };
    }[];
    readonly walkthroughs: readonly { id: string; steps: readonly Step[] }[];
  };
};
type Step = { readonly media: { svg: string }; readonly completionEvents: readonly string[] };

type SchemaOfProfiles = {
  readonly additionalProperties: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, object>>;
  };
};

const root = join(import.meta.dirname, '../..');
const text = read('package.json');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const words = JSON.parse(read('package.nls.json')) as Record<string, string>;
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts'),
);
const codeOf = (files: readonly string[]): string =>
  files.map((file) => read(`src/${file}`)).join('\n');
const code = codeOf(sources);

const docs = readdirSync(join(root, 'docs')).map((file) => `docs/${file}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs];

const sorted = (values: Iterable<string>): string[] => [...values].sort();

function isHidden(id: string): boolean {
  const { commandPalette = [] } = contributes.menus;
  return commandPalette.some(({ command, when }) => command === id && when === 'false');
}

describe('package.json and the code', () => {
  it('declare the same commands', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(sorted(declared), sorted(Object.values(commands)));
  });

  it('handle each command once: a second feature would replace the first', () => {
    const named = [...code.matchAll(/\[commands\.(\w+)\]:/g)].map(([, name]) => name);
    const handled = named.map((name) => commands[name as keyof typeof commands]);
    const tables = Object.values(tableCommands);
    assert.deepEqual(sorted([...handled, ...tables]), sorted(Object.values(commands)));
  });

  it('say of each command where it is: one that asks before it acts ends with …', () => {
    const lines = contributes.commands.map(
      ({ command, title }) =>
        `${words[title.replaceAll('%', '')]} | ${isHidden(command) ? 'menus only' : 'Command Palette'}`,
    );
    assertApprovedLines('manifest/commands', sorted(lines));
  });

  it('have a menu for each command that is not in the Command Palette', () => {
    const { commandPalette: _hidden, ...menus } = contributes.menus;
    const items = Object.values(menus).flatMap((list) => list.map(({ command }) => command));
    const hidden = Object.values(commands).filter(isHidden);
    assert.deepEqual(
      hidden.filter((id) => !items.includes(id)),
      [],
    );
  });

  it('name only commands of the Command Palette in texts that say what to run', () => {
    const inPalette = contributes.commands
      .filter(({ command }) => !isHidden(command))
      .map(({ title }) => words[title.replaceAll('%', '')]);
    const texts = [code, read('package.nls.json'), ...pages.map(read)].join('\n');
    const named = [...texts.matchAll(/(?:“|\*\*)Margin Desk: ([^”*]+)/g)];
    assert.ok(named.length > 40);
    for (const [, name = ''] of named) assert.ok(inPalette.includes(name), name);
  });

  it('declare the same views, in the container marginDesk', () => {
    const declared = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(sorted(declared), sorted(Object.values(views)));
    assert.deepEqual(Object.keys(contributes.views), ['marginDesk']);
    assert.equal(contributes.viewsContainers.activitybar[0]?.id, 'marginDesk');
  });

  it('declare the same settings with the same defaults', () => {
    const declared = Object.entries(contributes.configuration.properties);
    const defaults = declared.map(([key, setting]) => [key, setting.default]);
    assert.deepEqual(Object.fromEntries(defaults), { ...settings });
  });

  it('declare the same colours, each for every kind of theme', () => {
    const declared = contributes.colors.map(({ id }) => id);
    assert.deepEqual(sorted(declared), sorted(Object.values(colors)));
    const kinds = ['dark', 'light', 'highContrast', 'highContrastLight'];
    for (const { id, defaults } of contributes.colors)
      assert.deepEqual(Object.keys(defaults), kinds, id);
  });

  it('declare the same ranges of settings', () => {
    for (const [key, range] of Object.entries(settingRanges)) {
      const { minimum, maximum } = contributes.configuration.properties[key] ?? {};
      assert.deepEqual([minimum, maximum], range, key);
    }
  });

  it('use the same context keys', () => {
    const clauses = [
      ...Object.values(contributes.menus).flat(),
      ...contributes.viewsWelcome,
      ...[contributes.mcpServerDefinitionProviders, contributes.languageModelTools].flat(),
    ].map(({ when }) => when ?? '');
    const states = contributes.walkthroughs
      .flatMap(({ steps }) => steps.flatMap(({ completionEvents }) => completionEvents))
      .filter((event) => event.startsWith('onContext:'));
    const used = [...clauses, ...states].flatMap((when) => when.match(/\bmarginDesk\.\w+/g) ?? []);
    const ids: readonly string[] = Object.values(views);
    const keys = new Set(used.filter((key) => !ids.includes(key)));
    assert.deepEqual(sorted(keys), sorted(Object.values(contextKeys)));
  });

  it('declare the same tools and server for agents, with the one clause', () => {
    const { mcpServerDefinitionProviders: servers, languageModelTools: tools } = contributes;
    assert.deepEqual(
      servers.map(({ id }) => id),
      [mcpProvider],
    );
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.values(languageModelTools),
    );
    for (const { when } of [...servers, ...tools]) assert.equal(when, contextKeys.agentsMayRead);
    const [{ inputSchema } = assert.fail()] = tools;
    const withIds = new Set(idPlaces.map(({ history }) => history));
    assert.deepEqual(inputSchema.properties.history?.enum, [...withIds]);
  });

  it('name only commands that exist in menus and welcome texts', () => {
    const focuses = Object.values(views).map((id) => `${id}.focus`);
    const ids: readonly string[] = [...Object.values(commands), ...focuses];
    const linked = [
      ...Object.values(words)
        .join()
        .matchAll(/command:([\w.]+)/g),
    ];
    const inMenus = Object.values(contributes.menus).flatMap((items) =>
      items.map(({ command }) => command),
    );
    for (const id of [...inMenus, ...linked.map(([, link = '']) => link)])
      assert.ok(ids.includes(id), id);
  });

  it('hide a column only in the grids of panels, whose Columns menu shows it again', () => {
    const items = contributes.menus['webview/context'] ?? [];
    const { when = '' } = items.find(({ command }) => command === commands.hideColumn) ?? {};
    const others = when.split(' && ').filter((clause) => clause.startsWith('gridTable '));
    const grids = ['positions', 'analysis', 'returnedOrders'];
    assert.deepEqual(
      others,
      grids.map((grid) => `gridTable != ${grid}`),
    );
  });

  it('have walkthroughs whose pictures exist and whose steps end with what exists', () => {
    const declared = contributes.walkthroughs.map(({ id }) => id);
    assert.deepEqual(declared, Object.values(walkthroughs));
    const steps = contributes.walkthroughs.flatMap((one) => one.steps);
    assert.ok(steps.length >= 5);
    const events: readonly string[] = [
      ...Object.values(commands).map((id) => `onCommand:${id}`),
      ...Object.values(views).flatMap((id) => [`onView:${id}`, `onCommand:${id}.focus`]),
      ...Object.keys(settings).map((key) => `onSettingChanged:${key}`),
    ];

    for (const { media, completionEvents } of steps) {
      assert.ok(existsSync(join(root, media.svg)), media.svg);
      assert.ok(completionEvents.length > 0);
      for (const event of completionEvents)
        assert.ok(event.startsWith('onContext:') || events.includes(event), event);
    }
  });

  it('activate for every webview panel that is restored', () => {
    assert.deepEqual(
      sorted(manifest.activationEvents),
      sorted([...Object.values(panels).map((id) => `onWebviewPanel:${id}`), 'onStartupFinished']),
    );
  });

  it('spell every command and view in contributions.ts alone', () => {
    for (const id of [...Object.values(commands), ...Object.values(views)])
      assert.equal(
        code.split(`'${id}'`).length - 1,
        1,
        `${id} is spelled outside contributions.ts`,
      );
  });

  it('declare no setting that nothing reads', () => {
    const declaring = ['host/shared/contributions.ts', 'host/settings/settingValues.ts'];
    const reading = codeOf(sources.filter((file) => !declaring.includes(file)));
    for (const key of Object.keys(settings)) assert.ok(reading.includes(`'${key}'`), key);
  });

  it('give each setting a place of its own', () => {
    const orders = Object.values(contributes.configuration.properties).map(({ order }) => order);
    assert.ok(orders.every(Number.isInteger));
    assert.equal(new Set(orders).size, orders.length);
  });

  it('keep every setting out of the reach of a workspace', () => {
    for (const [key, { scope }] of Object.entries(contributes.configuration.properties))
      assert.equal(scope, 'application', key);
  });

  it('work in a folder that is not trusted, where cancel-all says that it sends nothing', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('have a text for every %key%, and no unused text', () => {
    const keys = [...text.matchAll(/"%([^%]+)%"/g)].map(([, key = '']) => key);
    assert.deepEqual(sorted(new Set(keys)), sorted(Object.keys(words)));
  });

  it('agree with docs/reference.md: each command by its full label, each setting with its default', () => {
    const [, list = ''] = /## Commands\n([^]*?)\n## /.exec(read('docs/reference.md')) ?? [];
    const lines = list.split('\n').filter((line) => line.startsWith('- '));
    const named = lines.flatMap((line) => [...line.matchAll(/\*\*(.+?)\*\*/g)]);
    const listed = named.map(([, label]) => `Margin Desk: ${label}`);
    assert.deepEqual(sorted(listed), sorted(commandLabels()));
    const documented = tablesIn('docs/reference.md').settings;
    assert.deepEqual(sorted(documented.keys()), sorted(Object.keys(settings)));
    assertDefaults(documented);
  });

  it('agree with docs/alerts.md: each kind of alert by its setting', () => {
    const documented = tablesIn('docs/alerts.md').settings.keys();
    const kinds = Object.entries(settings).filter(
      ([key, value]) => key.startsWith('marginDesk.alerts.') && typeof value === 'boolean',
    );
    assert.deepEqual(sorted(documented), sorted(kinds.map(([key]) => key)));
  });

  it('agree with the commands, settings and defaults in README', () => {
    const readme = tablesIn('README.md');
    assert.ok(readme.commands.length > 0 && readme.settings.size > 0);
    for (const label of readme.commands) assert.ok(commandLabels().includes(label), label);
    assertDefaults(readme.settings);
  });

  it('agree on the schema of an import file', () => {
    const [, block = ''] = /```json\n([^]*?)```/.exec(read('docs/profiles.md')) ?? [];
    const ofFile = JSON.parse(block) as SchemaOfProfiles;
    const ofSetting: unknown = contributes.configuration.properties['marginDesk.profiles'];
    const { additionalProperties: file } = ofFile;
    const { additionalProperties: setting } = ofSetting as SchemaOfProfiles;
    assert.deepEqual(file.required, setting.required);
    assert.deepEqual(Object.keys(file.properties), Object.keys(setting.properties));
    for (const [name, shape] of Object.entries(file.properties))
      assert.deepEqual({ ...setting.properties[name], ...shape }, setting.properties[name], name);
  });

  it('agree with docs/profiles.md: each authentication scheme by its label', () => {
    const [, section = ''] = read('docs/profiles.md').split('## Authentication schemes');
    const rows = section.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm);
    const [, ...documented] = [...rows].map(([, name = '', label = '']) => [name, label]);
    const labels = schemeNames.map((name) => [name, inEnglish(schemes[name].label)]);
    assert.deepEqual(documented, labels);
  });

  it('show pictures that exist', () => {
    const icons = [manifest.icon, contributes.viewsContainers.activitybar[0]?.icon ?? ''];
    for (const file of icons) assert.ok(existsSync(join(root, file)), file);
    const pictures = pages.flatMap((page) => linksIn(page, /!\[[^\]]+\]\(([^)]+)\)/g));
    assert.ok(pictures.length >= 4);
    for (const file of pictures) assert.ok(existsSync(join(root, file)), file);
  });
});

describe('README and docs', () => {
  it('link only to pages and sections that exist', () => {
    for (const page of pages)
      for (const link of linksIn(page, /(?<!!)\[[^\]]+\]\(((?!https?:)[^)]+)\)/g)) {
        const [file = '', section] = link.split('#');
        assert.ok(existsSync(join(root, file)), `${page}: ${link}`);
        if (section !== undefined)
          assert.ok(sectionsOf(file).includes(section), `${page}: ${link}`);
      }
  });

  it('are in the package', () => {
    const packed = read('.vscodeignore').matchAll(/^!(.+)$/gm);
    const patterns = [...packed].map(([, pattern = '']) => pattern);
    for (const link of linksIn('README.md', /\]\(((?!https?:)[^)#]+)/g))
      assert.ok(
        patterns.some((pattern) => matchesGlob(link, pattern)),
        link,
      );
  });

  it('are all linked from README', () => {
    const linked = linksIn('README.md', /\]\((docs\/[^)#]+)/g);
    for (const page of docs) assert.ok(linked.includes(page), page);
  });

  it('are named in sources, settings and walkthroughs only where they exist', () => {
    const texts = [code, text, read('package.nls.json')].join('\n');
    const named = [...texts.matchAll(/docs\/[\w-]+\.md/g)].map(([page]) => page);
    for (const page of named) assert.ok(docs.includes(page), page);
    assert.doesNotMatch(texts, /\.md#/);
  });

  it('are short: what a user reads, README and CHANGELOG', () => {
    const forUsers = docs.filter((page) => !/(?:api|proofs)\.md$/.test(page));
    const [, firstVersion = ''] = /## 1\.0\.0\n([^]*?)(?:\n## |$)/.exec(read('CHANGELOG.md')) ?? [];
    assert.ok(wordsIn(firstVersion) > 0);
    for (const [page, most] of [
      [forUsers.map(read).join(' '), 12_000],
      [read('README.md'), 1100],
      [firstVersion, 500],
    ] as const)
      assert.ok(wordsIn(page) <= most, `${wordsIn(page)} words of ${most}`);
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function wordsIn(page: string): number {
  return page.split(/\s+/).filter(Boolean).length;
}

function commandLabels(): readonly string[] {
  return contributes.commands.map(
    ({ title }) => `Margin Desk: ${words[title.replaceAll('%', '')]}`,
  );
}

/** The commands that a page's tables list, and the other cells of its settings by their keys. */
function tablesIn(page: string) {
  const rows = [...read(page).matchAll(/^\| `?([^`|]+?)`? +\|(.*)$/gm)].map(
    ([, name = '', rest = '']) => [name.trim(), rest] as const,
  );
  const ids: readonly string[] = Object.values(colors);
  return {
    commands: rows.map(([name]) => name).filter((name) => name.startsWith('Margin Desk: ')),
    settings: new Map(
      rows.filter(([name]) => name.startsWith('marginDesk.') && !ids.includes(name)),
    ),
  };
}

function assertDefaults(rows: ReadonlyMap<string, string>): void {
  for (const [key, rest] of rows) {
    const { default: value } = contributes.configuration.properties[key] ?? assert.fail(key);
    const shown = value === '' ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
    assert.ok(rest.split('|')[0]?.includes(shown), `${key}: ${shown}`);
  }
}

/** What a page links to, as paths from the root; a link within the page names the page. */
function linksIn(page: string, pattern: RegExp): readonly string[] {
  return [...read(page).matchAll(pattern)].map(([, link = '']) =>
    link.startsWith('#') ? `${page}${link}` : join(dirname(page), link),
  );
}

/** The anchors that GitHub gives the headings of a page. */
function sectionsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
