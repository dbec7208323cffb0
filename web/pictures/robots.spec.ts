import type { Page } from '@playwright/test';
import { run } from '../tests/station';
import { colours, lookFrom, sharp, succeeded, test } from './studio';

test.use({ deviceScaleFactor: 2 });

const READY = {
  name: 'Ready',
  children: ['left', 'right'].map((side) => ({ type: 'arm', name: side, side, by: 'preset', preset: 'ready', after: 'Beginning', duration_s: 2 })),
};
const WIDTH = 300;
const HEIGHT = 480;

/** The middle of the 3D view, below what lies over it. */
async function robot(page: Page): Promise<string> {
  const view = await page.locator('.view canvas').boundingBox();
  if (!view) throw new Error('no view');
  const clip = { x: view.x + (view.width - WIDTH) / 2, y: view.y + (view.height - HEIGHT) / 2 + 10, width: WIDTH, height: HEIGHT };
  return (await sharp(page, { clip })).toString('base64');
}

test('the robots that come with Coact, each at home and ready', async ({ page, show, take, context }) => {
  const all: string[] = [];
  for (const name of ['coact-one', 'coact-mini']) {
    const demo = await show(READY, ['--robot', name]);
    await colours(page, 'Light');
    await lookFrom(page, 0.6, 0.12, 3.1, [0, 0, 0.82]);
    all.push(await robot(page));
    await run(page, 'Automatic');
    await succeeded(page);
    all.push(await robot(page));
    await demo.end();
  }
  const wall = await context.newPage();
  await wall.setViewportSize({ width: 4 * WIDTH, height: HEIGHT });
  await wall.setContent(
    `<body style="margin: 0; display: flex">${all.map((one) => `<img width="${WIDTH}" height="${HEIGHT}" src="data:image/png;base64,${one}">`).join('')}`,
  );
  await take('robots', await wall.screenshot());
});
