import { expect } from '@playwright/test';
import { field, menu, row, run, status, test } from './station';

test('a setting is given by an expression: f(x), and what was written when it is pressed again', { tag: '@newcomer' }, async ({ begin }) => {
  const { page, demo } = await begin({
    variables: { pause_s: 0.4 },
    children: [
      { type: 'wait', name: 'Wait', duration_s: 30 },
      { type: 'wait', name: 'Behind', duration_s: 30 },
    ],
  });
  await row(page, 'Wait').click();
  const bind = field(page, 'duration_s').getByRole('button', { name: 'f(x)' });
  await bind.click();
  const text = field(page, 'duration_s').getByRole('combobox');
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
  const { page } = await begin({
    variables: { side: 'middle' },
    children: [{ type: 'arm', name: 'Reach', side: { '=': 'side' }, frame: 'chest', pose: { x_m: 0.35 } }],
  });
  await row(page, 'Reach').click();
  await expect(field(page, 'side').getByRole('combobox')).toHaveValue('side');
  await run(page, 'Automatic');
  await status(page, 'Reach', 'failure');
  await expect(page.locator('.outcome')).toContainText('must be one of');
});

test('what may be written next is offered, and what it gives now stands beside it', { tag: '@newcomer' }, async ({ begin }) => {
  const { page, demo } = await begin({
    variables: { pause_s: 0.4 },
    let: { twice_s: 'pause_s * 2' },
    children: [{ type: 'wait', name: 'Wait', duration_s: { '=': 'pause_s' } }],
  });
  await row(page, 'Wait').click();
  const duration = field(page, 'duration_s');
  await expect(duration.getByRole('status')).toHaveText('= 0.4');
  const text = duration.getByRole('combobox');
  await text.fill('');
  await text.pressSequentially('twi');
  await expect(duration.getByRole('option', { name: 'twice_s' })).toBeVisible();
  await text.press('Tab');
  await text.pressSequentially(' + rea');
  await expect(duration.getByRole('option').first()).toContainText("reach_m('right')");
  await duration.getByRole('option').first().click();
  await text.pressSequentially("'right')");
  await expect(duration.getByRole('status')).toHaveText(/^= 1\.\d+$/);
  await text.press('Enter');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => (demo.read('behavior.json') as { children: { duration_s: unknown }[] }).children[0]?.duration_s)
    .toEqual({ '=': "twice_s + reach_m('right')" });
  await text.fill('nobody + 1');
  await expect(duration.getByRole('status')).toHaveText('there is no variable `nobody`');
});

test('a name that stands for an expression is shown with what it gives, and can be written anew', async ({ begin }) => {
  const { page, demo } = await begin({
    variables: { load_n: 40 },
    let: { heavy: 'load_n > 38' },
    children: [{ type: 'wait', name: 'Wait', duration_s: 30, while: '!heavy' }],
  });
  await page.getByRole('tab', { name: 'Variables' }).click();
  const heavy = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'heavy' }) });
  await expect(heavy.getByRole('status')).toHaveText('= true');
  await heavy.getByRole('combobox').fill('load_n > 50');
  await expect(heavy.getByRole('status')).toHaveText('= false');
  await heavy.getByRole('combobox').press('Enter');
  await page.keyboard.press('Control+s');
  await expect.poll(() => (demo.read('behavior.json') as { let: unknown }).let).toEqual({ heavy: 'load_n > 50' });
});

test('a use of a skill is a form in the words of the skill', { tag: '@newcomer' }, async ({ begin }) => {
  const skill = {
    version: 2,
    name: 'Wave',
    inputs: {
      side: { default: 'right', title: 'Which hand', choices: ['left', 'right'] },
      pause_s: { default: 0.2, kind: 'number', minimum: 0, maximum: 5, unit: 's' },
    },
    children: [{ type: 'log', name: 'Say', text: 'waves', value: 'side + text(pause_s)' }],
  };
  const { page, demo } = await begin({ children: [{ type: 'skill', name: 'Use', file: 'wave.json' }], beside: { 'wave.json': skill } });
  await row(page, 'Use').click();
  const inputs = field(page, 'inputs');
  await inputs.getByLabel('Which hand').selectOption('left');
  const pause = inputs.locator('[data-input=pause_s]');
  await pause.getByRole('spinbutton').or(pause.getByRole('textbox')).first().fill('1.5');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+s');
  const given = (): unknown => (demo.read('behavior.json') as { children: { inputs?: unknown }[] }).children[0]?.inputs;
  await expect.poll(given).toEqual({ side: "'left'", pause_s: 1.5 });
  await run(page, 'Automatic');
  await page.getByRole('tab', { name: 'Log' }).click();
  await expect(page.locator('.panel-log')).toContainText('Waves left1.5');
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
