import { expect } from '@playwright/test';
import { field, menu, row, run, status, test } from './station';

test('a setting is given by an expression: f(x), and what was written when it is pressed again', { tag: '@newcomer' }, async ({ begin }) => {
  const { page, demo } = await begin({
    variables: { pause_s: 0.4 },
    children: [{ type: 'wait', name: 'Wait', duration_s: 30 }, { type: 'wait', name: 'Behind', duration_s: 30 }],
  });
  await row(page, 'Wait').click();
  const bind = field(page, 'duration_s').getByRole('button', { name: 'f(x)' });
  await bind.click();
  const text = field(page, 'duration_s').getByRole('textbox');
  await expect(text).toHaveValue('30');
  await text.fill('pause_s * 2');
  await text.press('Enter');
  await page.keyboard.press('Control+s');
  await expect.poll(() => (demo.read('behavior.json') as { children: { duration_s: unknown }[] }).children[0]?.duration_s).toEqual({ '=': 'pause_s * 2' });
  await run(page, 'Automatic');
  await status(page, 'Wait', 'success');
  await status(page, 'Behind', 'running');
  await page.locator('.status .stop').click();
  await bind.click();
  await expect(field(page, 'duration_s').locator('input[type=text], input:not([type])').first()).not.toHaveValue(/pause_s/);
});

test('a value that does not fit is told, and nothing starts', async ({ begin }) => {
  const { page } = await begin({ variables: { side: 'middle' }, children: [{ type: 'arm', name: 'Reach', side: { '=': 'side' }, frame: 'chest', pose: { x_m: 0.35 } }] });
  await row(page, 'Reach').click();
  await expect(field(page, 'side').getByRole('textbox')).toHaveValue('side');
  await run(page, 'Automatic');
  await status(page, 'Reach', 'failure');
  await expect(page.locator('.outcome')).toContainText('must be one of');
});

test('a use of a skill is mirrored by a click, and runs on the other side', async ({ begin }) => {
  const { page, demo } = await begin({
    children: [
      { type: 'sequence', name: 'Group', children: [{ type: 'arm', name: 'Out', side: 'right', by: 'preset', preset: 'wide', duration_s: 1 }] },
      { type: 'condition', name: 'The left one went out', condition: 'left_shoulder_roll_deg > 15 && abs(right_shoulder_roll_deg) < 15' },
    ],
  });
  await menu(page, 'Group', 'Make a skill of it…');
  await page.getByRole('dialog').getByRole('button', { name: 'Make skill' }).click();
  await row(page, 'Group').click();
  await field(page, 'mirrored').getByRole('checkbox').click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => (demo.read('behavior.json') as { children: { mirrored?: unknown }[] }).children[0]?.mirrored).toBe(true);
  await run(page, 'Automatic');
  await status(page, 'The left one went out', 'success');
});
