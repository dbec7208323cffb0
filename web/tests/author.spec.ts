import { add, bars, expect, field, menu, names, rename, row, run, setNumber, status, test, tree } from './station';

test('from an empty tree to the first example of the thesis, and run it', { tag: '@newcomer' }, async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Demo Behavior' });
  await tree(page).focus();
  await page.keyboard.press('ArrowDown');

  await add(page, 'arm, right');
  await rename(page, 'Move Right Arm');
  await field(page, 'by').getByRole('combobox').selectOption('angles');
  await setNumber(page, 'duration_s', 1);
  for (const [joint, angle] of [40.1, -22.9, 22.9, -108.9].entries()) await setNumber(page, 'angles_deg', angle, String(joint));
  await run(page, 'Step');
  await status(page, 'Move Right Arm', 'success');

  await menu(page, 'Move Right Arm', 'Mirrored copy behind it');
  await expect(page.getByRole('treeitem').nth(2)).toHaveAttribute('aria-selected', 'true');
  await rename(page, 'Move Left Arm');
  await expect(field(page, 'side').getByRole('combobox')).toHaveValue('left');
  await run(page, 'Step');
  await status(page, 'Move Left Arm', 'success');

  await add(page, 'walk');
  await rename(page, 'Walk action');
  await setNumber(page, 'stance', 0.6, 'x_m');
  await setNumber(page, 'focal', 1.6, 'x_m');
  await run(page, 'Step');
  await expect(page.locator('.running-line')).toContainText('Walk action');
  await status(page, 'Walk action', 'success');
  await expect(bars(page)).toHaveCount(3);

  expect(await names(page)).toEqual(['Demo Behavior', 'Move Right Arm', 'Move Left Arm', 'Walk action']);
  await expect(page.locator('.file-name .unsaved')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
  expect(demo.read('behavior.json')).toMatchObject({
    children: [
      { type: 'arm', name: 'Move Right Arm', by: 'angles', duration_s: 1 },
      { type: 'arm', name: 'Move Left Arm', side: 'left' },
      { type: 'walk', name: 'Walk action', stance: { x_m: 0.6 } },
    ],
  });
});

const children = [
  { type: 'stand_in', name: 'One', duration_s: 1 },
  { type: 'stand_in', name: 'Two', duration_s: 1 },
  { type: 'sequence', name: 'Group', children: [{ type: 'wait', name: 'Three' }] },
  { type: 'arm', name: 'Arm', frame: 'walking', pose: { x_m: 0.3, y_m: -0.3, z_m: 1 } },
];

test('undo takes back everything that was done to the tree, and redo does it again', { tag: '@newcomer' }, async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Undo', children });
  await page.keyboard.press('Control+s');
  const before = JSON.stringify(demo.read('behavior.json'));
  const first = await names(page);

  await row(page, 'One').click();
  await page.keyboard.press('Control+d');
  await menu(page, 'Two', 'Put into…');
  await page.getByRole('dialog', { name: 'Put into' }).getByText('fallback', { exact: false }).first().click();
  await row(page, 'Two').dragTo(row(page, 'Three'));
  await row(page, 'Three').click();
  await rename(page, 'Third');
  await setNumber(page, 'duration_s', 4);
  await menu(page, 'Third', 'Notes…');
  await page.getByRole('dialog').getByRole('textbox').fill('waits for the door');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  await row(page, 'Arm').click();
  await page.locator('.more').evaluate((more: HTMLDetailsElement) => (more.open = true));
  await field(page, 'after').getByRole('combobox').selectOption({ label: 'Undo' });
  await expect(page.locator('.arrows path')).toHaveCount(1);
  const unmirrored = await page.getByRole('treeitem').count();
  await page.keyboard.press('Control+m');
  await expect(page.getByRole('treeitem')).toHaveCount(unmirrored + 1);
  await row(page, 'Arm').click();
  await page.keyboard.press('Control+Alt+r');
  await expect(field(page, 'pose').locator('input[id$="-x_m"]')).not.toHaveValue('0.3');
  await menu(page, 'Arm', 'Give goal in another frame…');
  await page.getByRole('dialog').getByLabel('Frame').fill('world');
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
  await expect(field(page, 'frame').locator('input')).toHaveValue('world');
  await menu(page, 'Group', 'Make a skill of it…');
  await page.getByRole('dialog').getByRole('button', { name: 'Make skill' }).click();
  await expect(row(page, 'Third')).toBeHidden();
  await menu(page, 'Group', "Put the skill's own steps here");
  await expect(row(page, 'Third')).toBeVisible();
  await row(page, 'One').click();
  const count = await page.getByRole('treeitem').count();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('treeitem')).toHaveCount(count - 1);
  const last = await names(page);
  expect(last).not.toEqual(first);

  const undo = page.getByRole('button', { name: 'Edit', exact: true });
  for (let done = 0; done < 30; done++) {
    await undo.click();
    const item = page.getByRole('menuitem', { name: /^Undo/ });
    if (await item.isDisabled()) {
      await page.keyboard.press('Escape');
      break;
    }
    await item.click();
  }
  await expect.poll(() => names(page)).toEqual(first);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
  expect(JSON.stringify(demo.read('behavior.json'))).toBe(before);

  for (let done = 0; done < 30; done++) await page.keyboard.press('Control+Shift+z');
  await expect.poll(() => names(page)).toEqual(last);
});

test('a wrong value is told at its field and not taken', { tag: '@newcomer' }, async ({ begin }) => {
  const { page } = await begin({ name: 'Wrong', children: [{ type: 'wait', name: 'Wait', duration_s: 2 }] });
  await row(page, 'Wait').click();
  await setNumber(page, 'duration_s', -3);
  await expect(field(page, 'duration_s').getByRole('alert')).toContainText('must be at least 0');
  await page.keyboard.press('Escape');
  await expect(field(page, 'duration_s').locator('input')).toHaveValue('2');
});

test('only with the keyboard: add, rename, set, step, open the settings', async ({ begin }) => {
  const { page } = await begin({ name: 'Keys' });
  const { keyboard } = page;
  await keyboard.press('Control+f');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('a');
  await keyboard.type('stand in');
  await keyboard.press('Enter');
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await keyboard.press('F2');
  await keyboard.type('Typed');
  await keyboard.press('Enter');
  await expect(row(page, 'Typed')).toBeVisible();
  await keyboard.press('Enter');
  await expect(field(page, 'duration_s').locator('input')).toBeFocused();
  await keyboard.type('1');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await keyboard.press('Control+f');
  await keyboard.press('Enter');
  await keyboard.press('Control+Enter');
  await status(page, 'Typed', 'success');
  await keyboard.press('Control+k');
  await keyboard.type('layout run');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Run', exact: true, pressed: true })).toBeVisible();
});
