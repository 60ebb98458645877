import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openChromium } from '../test/browser/chromium.ts';
import { visitorOf } from '../test/browser/people.ts';
import type { Scenes } from '../test/browser/scenes/scene.ts';
import { SCENE_SETS, SCENES } from '../test/browser/scenes.ts';
import { settle } from '../test/browser/settle.ts';
import { startService } from '../test/support/service.ts';

/**
 * `npm run screenshots`: every page of the web application, in light and dark, on a desk and on a phone, as PNG files in
 * the folder named, or in data/screenshots. Further arguments name the scenes to take, or a set of scenes such as `tour`,
 * whose pictures are numbered in the order in which people see them; by default all scenes. A scene that fails leaves the
 * others to be taken, and the exit code is 1.
 */
const [named, ...asked] = process.argv.slice(2);
const folder = named ?? fileURLToPath(new URL('../data/screenshots', import.meta.url));

await mkdir(folder, { recursive: true });
const service = await startService();
const browser = await openChromium();
try {
  for (const [name, scene] of pictures()) {
    await photograph(name, scene).catch((error: unknown) => {
      process.stderr.write(`${name}: ${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 1;
    });
  }
} finally {
  await browser.close();
  await service.close();
}

/** The scenes to take, by the beginning of their files' names, in the order of the list: some have to come first. */
function pictures(): readonly (readonly [string, Scenes[string]])[] {
  const scenes = Object.entries(SCENES);
  if (asked.length === 0) return scenes;
  return [
    ...scenes.filter(([name]) => asked.includes(name)),
    ...asked.flatMap((set) =>
      (SCENE_SETS[set] ?? []).flatMap((name, at) =>
        scenes
          .filter(([one]) => one === name)
          .map(([, scene]) => [`${set}-${String(at + 1).padStart(2, '0')}-${name}`, scene] as const),
      ),
    ),
  ];
}

async function photograph(name: string, scene: Scenes[string]): Promise<void> {
  const shown = await scene(service);
  for (const phone of [false, true]) {
    const visitor = await visitorOf(shown, { browser, service, phone });
    try {
      await shown.ready(visitor.page);
      for (const scheme of ['light', 'dark'] as const) {
        await visitor.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await settle(visitor.page);
        const file = `${folder}/${name}-${phone ? 'phone' : 'desk'}-${scheme}.png`;
        await visitor.page.screenshot({ path: file, fullPage: shown.whole ?? false });
        process.stdout.write(`${file}\n`);
      }
    } finally {
      await visitor.close();
    }
  }
}
