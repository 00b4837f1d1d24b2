import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  colors,
  commands,
  contextKeys,
  panels,
  settingRanges,
  settings,
  views,
  walkthroughs,
} from '../../src/host/contributions.ts';

type Manifest = {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: boolean | 'limited' };
  };
  readonly contributes: {
    readonly commands: readonly { command: string; title: string; category: string }[];
    readonly views: Record<string, readonly { id: string }[]>;
    readonly viewsContainers: { activitybar: readonly { id: string; icon: string }[] };
    readonly configuration: {
      properties: Record<
        string,
        {
          default: unknown;
          scope: string;
          markdownDescription: string;
          minimum?: number;
          maximum?: number;
        }
      >;
    };
    readonly menus: Record<string, readonly { command: string; when?: string }[]>;
    readonly colors: readonly { id: string; defaults: Record<string, string> }[];
    readonly viewsWelcome: readonly { view: string; when: string; contents: string }[];
    readonly walkthroughs: readonly {
      id: string;
      steps: readonly { media: { svg: string }; completionEvents: readonly string[] }[];
    }[];
  };
};

type SchemaOfProfiles = {
  readonly additionalProperties: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, object>>;
  };
};

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const words = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<
  string,
  string
>;
const code = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n');

const sorted = (values: Iterable<string>): string[] => [...values].sort();

describe('package.json and the code', () => {
  it('declare the same commands', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(sorted(declared), sorted(Object.values(commands)));
  });

  it('declare the same views, in the container marginDesk', () => {
    const declared = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(sorted(declared), sorted(Object.values(views)));
    assert.deepEqual(Object.keys(contributes.views), ['marginDesk']);
    assert.equal(contributes.viewsContainers.activitybar[0]?.id, 'marginDesk');
  });

  it('declare the same settings with the same defaults', () => {
    const declared = Object.entries(contributes.configuration.properties).map(([key, value]) => [
      key,
      value.default,
    ]);
    assert.deepEqual(Object.fromEntries(declared), { ...settings });
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
    const clauses = [...Object.values(contributes.menus).flat(), ...contributes.viewsWelcome].map(
      ({ when }) => when ?? '',
    );
    const used = clauses.flatMap((when) => when.match(/\bmarginDesk\.\w+/g) ?? []);
    const ids: readonly string[] = Object.values(views);
    assert.deepEqual(
      sorted(new Set(used.filter((key) => !ids.includes(key)))),
      sorted(Object.values(contextKeys)),
    );
  });

  it('name only commands that exist in menus and welcome texts', () => {
    const focuses = Object.values(views).map((id) => `${id}.focus`);
    const ids: readonly string[] = [...Object.values(commands), ...focuses];
    const linked =
      Object.values(words)
        .join()
        .match(/command:([\w.]+)/g) ?? [];
    const inMenus = Object.values(contributes.menus)
      .flat()
      .map(({ command }) => command);
    for (const id of [...inMenus, ...linked.map((link) => link.replace('command:', ''))])
      assert.ok(ids.includes(id), id);
  });

  it('have walkthroughs whose pictures exist and whose steps end with what exists', () => {
    assert.deepEqual(
      contributes.walkthroughs.map(({ id }) => id),
      Object.values(walkthroughs),
    );
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
      for (const event of completionEvents) assert.ok(events.includes(event), event);
    }
  });

  it('wake for every webview panel that is restored', () => {
    assert.deepEqual(
      sorted(manifest.activationEvents),
      sorted([...Object.values(panels).map((id) => `onWebviewPanel:${id}`), 'onStartupFinished']),
    );
  });

  it('spell every id of the code in contributions.ts only', () => {
    const ids = [...Object.values(commands), ...Object.values(views), ...Object.keys(settings)];
    for (const id of ids) {
      const spelled = code.split(`'${id}'`).length - 1;
      const isSettingRead = Object.hasOwn(settings, id);
      assert.ok(isSettingRead ? spelled >= 2 : spelled === 1, `${id} is spelled ${spelled} times`);
    }
  });

  it('keep every setting out of the reach of a workspace', () => {
    for (const [key, { scope }] of Object.entries(contributes.configuration.properties))
      assert.equal(scope, 'application', key);
  });

  it('work in a folder that is not trusted, where cancel-all says that it sends nothing', () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('have words for every %key%, and no word too many', () => {
    const keys = [...text.matchAll(/"%([^%]+)%"/g)].map(([, key = '']) => key);
    assert.deepEqual(sorted(new Set(keys)), sorted(Object.keys(words)));
  });

  it('stand in README: each command by its full label, each setting with its default', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `?([^`|]+?)`? +\|(.*)$/gm)].map(
      ([, name = '', rest = '']) => [name.trim(), rest] as const,
    );
    const labels = contributes.commands.map(
      ({ title }) => `Margin Desk: ${words[title.replaceAll('%', '')]}`,
    );
    const listed = rows.map(([name]) => name).filter((name) => name.startsWith('Margin Desk: '));
    assert.deepEqual(sorted(listed), sorted(labels));
    const keys = rows.filter(([name]) => name.startsWith('marginDesk.'));
    assert.deepEqual(sorted(keys.map(([key]) => key)), sorted(Object.keys(settings)));
    for (const [key, rest] of keys) {
      const { default: value } = contributes.configuration.properties[key] ?? assert.fail(key);
      const shown =
        value === '' ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
      assert.ok(rest.split('|')[0]?.includes(shown), `${key}: ${shown}`);
    }
  });

  it('agree on the schema of an import file', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, block = ''] = /```json\n([^]*?)```/.exec(readme) ?? [];
    const ofFile = JSON.parse(block) as SchemaOfProfiles;
    const ofSetting = contributes.configuration.properties[
      'marginDesk.profiles'
    ] as unknown as SchemaOfProfiles;
    const [file, setting] = [ofFile, ofSetting].map((schema) => schema.additionalProperties);
    assert.deepEqual(file?.required, setting?.required);
    assert.deepEqual(Object.keys(file?.properties ?? {}), Object.keys(setting?.properties ?? {}));
    for (const [name, shape] of Object.entries(file?.properties ?? {}))
      assert.deepEqual({ ...setting?.properties[name], ...shape }, setting?.properties[name], name);
  });

  it('show files that exist', () => {
    const icons = [manifest.icon, contributes.viewsContainers.activitybar[0]?.icon ?? ''];
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = '']) => file);
    assert.ok(pictures.length >= 4);
    for (const file of [...icons, ...pictures]) assert.ok(existsSync(join(root, file)), file);
  });
});
