import { bars, expect, field, mode, row, run, status, test, tree } from './station';

const arms = (more: object): object[] => [
  { type: 'stand_in', name: 'Walk', duration_s: 4, claims: ['legs'] },
  { type: 'wait', name: 'Before the right arm', duration_s: 1, ...more },
  { type: 'stand_in', name: 'Right arm', duration_s: 1, claims: ['right arm'] },
];

test('concurrency: the wait is told to start with the sequence, and the arm moves during the walk', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({ name: 'Concurrency', children: arms({}) });
  await row(page, 'Before the right arm').click();
  await page.locator('.more summary').click();
  await field(page, 'after').getByRole('combobox').selectOption({ label: 'Concurrency' });
  await row(page, 'Right arm').click();
  await page.locator('.more').evaluate((more: HTMLDetailsElement) => (more.open = true));
  await field(page, 'after').getByRole('combobox').selectOption({ label: '\u2003Before the right arm' });
  await expect(page.locator('.arrows path')).toHaveCount(2);
  await row(page, 'Right arm').hover();
  await expect(page.locator('.arrows path.bold')).toHaveCount(1);

  // What is expected stands there before it runs: the arm within the walk.
  const expected = page.locator('.time-bar.expected');
  await expect(expected).toHaveCount(3);
  await expect(expected.filter({ hasText: 'Walk' })).toHaveAttribute('title', 'Walk: expected to take 4.00 s');
  await expect(async () => {
    const spans = await expected.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect()).map(({ left, right, top }) => ({ left, right, top })));
    expect(spans[1]?.left).toBeCloseTo(spans[0]?.left ?? 0);
    expect(spans[2]?.right).toBeLessThan(spans[0]?.right ?? 0);
    expect(spans[2]?.top).toBeGreaterThan(spans[0]?.top ?? 0);
  }).toPass();

  await run(page, 'Automatic');
  await expect(expected).toHaveCount(0);
  await status(page, 'Walk', 'running');
  await status(page, 'Before the right arm', 'running');
  await status(page, 'Right arm', 'success');
  await status(page, 'Walk', 'success');
  await expect(bars(page)).toHaveCount(3);
  const tops = await bars(page).evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.top));
  expect(new Set(tops).size).toBe(2);
  await page.getByLabel('Compare with what is expected').check();
  await expect(expected).toHaveCount(3);
});

test('fallback: the line between try and catch is there, and the catch runs', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({
    name: 'Fallback',
    children: [
      {
        type: 'fallback',
        name: 'Try it',
        children: [
          { type: 'always_fail', name: 'Slips', reason: 'the grip slipped' },
          { type: 'stand_in', name: 'Another way', duration_s: 1 },
        ],
      },
      { type: 'stand_in', name: 'Goes on', duration_s: 1 },
    ],
  });
  await expect(row(page, 'Another way')).toHaveClass(/catch-begins/);
  await run(page, 'Automatic');
  await status(page, 'Slips', 'failure');
  await status(page, 'Another way', 'success');
  await status(page, 'Goes on', 'success');
  await row(page, 'Try it').getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'Try it').getByLabel('Failed inside')).toBeVisible();
});

test('a step added while the behavior runs is run', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({ name: 'Live', children: [{ type: 'stand_in', name: 'Long', duration_s: 6 }] });
  await run(page, 'Automatic');
  await status(page, 'Long', 'running');
  await row(page, 'Long').click();
  await page.keyboard.press('Control+d');
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await page.keyboard.press('F2');
  await tree(page).getByRole('textbox').fill('Later');
  await page.keyboard.press('Enter');
  await status(page, 'Long', 'running');
  await status(page, 'Later', 'success');
});

test('an operator is asked, in a card that stays, and the answer decides', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({
    name: 'Asks',
    children: [
      { type: 'question', name: 'Door', text: 'Is the door open?', options: ['yes', 'no'], failures: ['no'] },
      { type: 'stand_in', name: 'Go through', duration_s: 1 },
    ],
  });
  await run(page, 'Automatic');
  const card = page.getByRole('alertdialog', { name: 'The behavior asks' });
  await expect(card).toContainText('Is the door open?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(card).toBeVisible();
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'yes' }).click();
  await expect(card).toBeHidden();
  await status(page, 'Door', 'success');
  await status(page, 'Go through', 'success');
});

test('a step above the autonomy level is held, says why, and a press lets it go', async ({ begin }) => {
  const { page } = await begin({ name: 'Held', children: [{ type: 'stand_in', name: 'Risky', duration_s: 1, autonomy: 'high' }] });
  await page.getByRole('group', { name: 'Autonomy level' }).getByRole('button', { name: 'low' }).click();
  await expect(page.getByRole('group', { name: 'Autonomy level' }).getByRole('button', { name: 'low' })).toHaveAttribute('aria-pressed', 'true');
  await run(page, 'Automatic');
  await expect(page.locator('.next-line .waits')).toContainText(/autonomy|level/i);
  await expect(row(page, 'Risky')).not.toHaveClass(/running|success/);
  await run(page, 'Step');
  await status(page, 'Risky', 'success');
});

test('next is set by a click, a breakpoint holds, a lock is shown', async ({ begin }) => {
  const { page } = await begin({ name: 'Marks', children: ['A', 'B', 'C'].map((name) => ({ type: 'stand_in', name, duration_s: 0.5 })) });
  await row(page, 'B').getByRole('button', { name: 'Make it next' }).click();
  await expect(row(page, 'B')).toHaveClass(/next/);
  await row(page, 'C').click();
  await page.keyboard.press('Alt+b');
  await expect(row(page, 'C').getByLabel('Breakpoint')).toBeVisible();
  await run(page, 'Automatic');
  await status(page, 'B', 'success');
  await expect(page.locator('.next-line .waits')).toContainText(/breakpoint/i);
  await run(page, 'Step');
  await status(page, 'C', 'success');
  await expect(row(page, 'A')).not.toHaveClass(/success/);
});

test('a breakpoint takes automatic off; clearing it starts nothing, Continue does', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({ name: 'Held', children: ['A', 'B'].map((name) => ({ type: 'stand_in', name, duration_s: 0.5 })) });
  await row(page, 'B').click();
  await page.keyboard.press('Alt+b');
  await run(page, 'Automatic');
  await status(page, 'A', 'success');
  const held = page.getByRole('status', { name: 'Held' });
  await expect(held).toContainText('Held at');
  await expect(held).toContainText('B');
  await row(page, 'B').click();
  await page.keyboard.press('Alt+b');
  await expect(row(page, 'B').getByLabel('Breakpoint')).toHaveCount(0);
  await expect(held).toBeVisible();
  await expect(row(page, 'B')).not.toHaveClass(/running|success/);
  await held.getByRole('button', { name: 'Continue' }).click();
  await status(page, 'B', 'success');
  await expect(held).toHaveCount(0);
});

test('next that is set out of a locked step is kept, shown, and taken when the lock opens', async ({ begin }) => {
  const { page } = await begin({ name: 'Locked', children: ['A', 'B', 'C'].map((name) => ({ type: 'stand_in', name, duration_s: name === 'A' ? 600 : 0.5 })) });
  await run(page, 'Automatic');
  await status(page, 'A', 'running');
  await row(page, 'A').click();
  await page.keyboard.press('Alt+l');
  await expect(row(page, 'A').getByLabel('Locked')).toBeVisible();
  await row(page, 'C').getByRole('button', { name: 'Make it next' }).click();
  const held = page.getByRole('status', { name: 'Held' });
  await expect(held).toContainText('When the lock opens, next is');
  await expect(held).toContainText('C');
  await row(page, 'A').click();
  await page.keyboard.press('Alt+l');
  await expect(held).toHaveCount(0);
  await status(page, 'C', 'success');
  await expect(row(page, 'B')).not.toHaveClass(/running|success/);
});

test('a result that needs a higher level is held with its reason', async ({ begin }) => {
  const { page } = await begin({
    name: 'Decide',
    children: [
      { type: 'always_succeed', name: 'Reach', outcome: 'reached', outcome_autonomy: { reached: 'full' } },
      { type: 'stand_in', name: 'Then', duration_s: 0.5 },
    ],
  });
  await run(page, 'Automatic');
  const held = page.getByRole('status', { name: 'Held' });
  await expect(held).toContainText('needs an autonomy level above full');
  await held.getByRole('button', { name: 'Continue' }).click();
  await status(page, 'Then', 'success');
});

test.describe('stop', () => {
  const stopped = async (page: import('@playwright/test').Page): Promise<void> => {
    await page.locator('.status .stop').click();
    await expect(page.locator('.running-list')).toContainText('Nothing runs.');
    await expect(page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: 'Automatic' })).toHaveAttribute('aria-pressed', 'false');
  };
  const long = {
    name: 'Stop',
    children: [
      { type: 'stand_in', name: 'Long', duration_s: 300 },
      { type: 'question', name: 'Asked', text: 'Well?', options: ['yes'] },
    ],
  };

  test('while it runs by itself, behind a dialog, and by key from a text field', { tag: '@newcomer' }, async ({ begin }) => {
    const { page } = await begin(long);
    await run(page, 'Automatic');
    await status(page, 'Long', 'running');
    await page.keyboard.press('F1');
    await expect(page.getByRole('dialog')).toBeVisible();
    await stopped(page);
    await page.keyboard.press('Escape');
    await run(page, 'Step');
    await status(page, 'Long', 'running');
    await page.getByRole('searchbox', { name: 'Search the tree' }).fill('Lo');
    await page.keyboard.press('Control+.');
    await status(page, 'Long', 'halted');
  });

  test('while paused, while it asks, and while nothing runs', async ({ begin }) => {
    const { page } = await begin(long);
    await stopped(page);
    await run(page, 'Automatic');
    await status(page, 'Long', 'running');
    await run(page, 'Pause');
    await mode(page, 'Paused');
    await stopped(page);
    await mode(page, 'Stopped');
    await expect(page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-pressed', 'false');
    await row(page, 'Asked').getByRole('button', { name: 'Make it next' }).click();
    await run(page, 'Step');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await stopped(page);
    await expect(page.getByRole('alertdialog')).toBeHidden();
  });

  test('while a step runs that was pressed by hand, with a preview on, a menu open and an edit on its way', async ({ begin }) => {
    const { page } = await begin({
      ...long,
      children: [{ type: 'arm', name: 'Arm', duration_s: 60, frame: 'walking', pose: { x_m: 0.3, y_m: -0.3, z_m: 1 } }, ...long.children],
    });
    await row(page, 'Arm').click();
    await page.keyboard.press('Control+p');
    await expect(page.locator('.readout')).toContainText('Preview:');
    await run(page, 'Step');
    await status(page, 'Arm', 'running');
    await mode(page, 'Manual');
    await stopped(page);
    await status(page, 'Arm', 'halted');

    await run(page, 'Automatic');
    await expect(page.locator('.running-line')).toHaveCount(1);
    // Pressed while the edit has not been answered: nobody waits for it.
    await page.evaluate(() => document.querySelector<HTMLElement>('[role=tree]')?.focus());
    await page.keyboard.press('Control+d');
    await page.locator('.status .stop').click();
    await expect(page.locator('.running-list')).toContainText('Nothing runs.');
    await expect(page.getByRole('treeitem')).toHaveCount(5);

    await run(page, 'Automatic');
    await expect(page.locator('.running-line')).toHaveCount(1);
    await row(page, 'Long').click({ button: 'right' });
    await expect(page.getByRole('menu')).toBeVisible();
    await stopped(page);
  });
});

test('a variable is shown live and set by hand', async ({ begin }) => {
  const { page } = await begin({
    name: 'Counts',
    variables: { count: 1 },
    children: [
      { type: 'wait_until', name: 'Enough', condition: 'count >= 5' },
      { type: 'set', name: 'More', values: { count: 'count + 1' } },
    ],
  });
  await run(page, 'Automatic');
  await status(page, 'Enough', 'running');
  await page.keyboard.press('Alt+2');
  const cell = page.getByRole('textbox', { name: 'count', exact: true });
  await expect(cell).toHaveValue('1');
  await cell.fill('7');
  await cell.press('Enter');
  await status(page, 'Enough', 'success');
  await expect(cell).toHaveValue('8');
});
