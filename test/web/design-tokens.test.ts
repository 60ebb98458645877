import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { TOKENS } from '../../src/surfaces/http/design-tokens.ts';

type Colours = Readonly<Record<string, string>>;

function coloursIn(css: string): Colours {
  return Object.fromEntries(
    [...css.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name, value]) => [name, value]),
  );
}

test('the pages of the service have the colours of the web application, in light and in dark', async () => {
  const css = await readFile(new URL('../../web/src/theme/tokens.css', import.meta.url), 'utf8');
  const [light = '', dark = ''] = css.split(':root[data-mantine-color-scheme="dark"]');
  const app = { light: coloursIn(light), dark: coloursIn(dark.split('}')[0] ?? '') };
  const [ownLight = '', ofDevice = '', ...rest] = TOKENS.split(
    /@media \(prefers-color-scheme: dark\)|:root\[data-theme=dark\]/,
  );
  assert.equal(rest.length, 1);
  const own = { light: coloursIn(ownLight), dark: coloursIn(ofDevice) };
  assert.deepEqual(coloursIn(rest[0] ?? ''), own.dark);
  assert.ok(Object.keys(own.light).length > 12);
  assert.deepEqual(Object.keys(own.dark), Object.keys(own.light));
  for (const scheme of ['light', 'dark'] as const) {
    for (const [name, value] of Object.entries(own[scheme]))
      assert.equal(value, app[scheme][name], `${scheme} ${name}`);
  }
});
