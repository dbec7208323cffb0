import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { add, another, expect, field, menu, names, row, rows, run, status, test, tree } from './station';

const CHILDREN = [
  { type: 'wait', name: 'One', duration_s: 0.2 },
  { type: 'sequence', name: 'Group', children: [{ type: 'log', name: 'Say', text: 'hello' }] },
  { type: 'wait', name: 'Two', duration_s: 0.2 },
];
const palette = async (page: Page, words: string): Promise<string[]> => {
  await tree(page).focus();
  await page.keyboard.press('a');
  const box = page.getByRole('dialog', { name: 'Add step' });
  await box.getByRole('combobox').fill(words);
  const found = await box.locator('[cmdk-item] .title').allTextContents();
  await page.keyboard.press('Escape');
  return found;
};

test('every file of the folder is offered as a part, skills first, and one that is none can be added', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Parts', children: CHILDREN });
  mkdirSync(join(demo.folder, 'skills'));
  const part = (name: string) => JSON.stringify({ version: 1, name, children: [{ type: 'wait', name: `In ${name}`, duration_s: 0.1 }] });
  for (let number = 0; number < 30; number++) writeFileSync(join(demo.folder, `plain${number}.json`), part(`plain${number}`));
  writeFileSync(join(demo.folder, 'skills', 'plain-skill.json'), part('skill'));
  await row(page, 'Two').click();
  await expect.poll(async () => (await palette(page, 'plain')).length).toBe(31);
  const all = await palette(page, '');
  expect(all.indexOf('skills/plain-skill')).toBeGreaterThan(0);
  expect(all.indexOf('skills/plain-skill')).toBeLessThan(all.indexOf('plain0'));
  await add(page, 'plain7');
  await expect(row(page, 'plain7')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
  expect(JSON.stringify(demo.read('behavior.json'))).toContain('"file":"plain7.json"');
});

test('the palette knows other words for what a step does', async ({ begin }) => {
  const { page } = await begin({ name: 'Words', children: CHILDREN });
  await row(page, 'Two').click();
  for (const [word, kind] of [
    ['try', 'fallback'],
    ['repeat', 'loop'],
    ['look', 'neck'],
    ['turn', 'screw'],
    ['say', 'log'],
    ['ask', 'question'],
    ['if', 'condition'],
  ] as const) {
    expect(
      (await palette(page, word)).some((title) => title.startsWith(kind)),
      `${word}: ${kind}`,
    ).toBe(true);
  }
  expect((await palette(page, 'repeat'))[0]).toBe('loop');
});

test('steps are copied, cut and pasted, with what is in them, into another behavior in another browser @newcomer', async ({ begin, browser }) => {
  const { page, demo } = await begin({ name: 'Clip', children: CHILDREN });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row(page, 'Group').click();
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"coact"');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(text)).toMatchObject({ coact: 'steps', behavior: { children: [{ name: 'Group', children: [{ text: 'hello' }] }] } });
  await row(page, 'Two').click();
  await page.keyboard.press('Control+v');
  await expect.poll(() => names(page)).toEqual(['Clip', 'One', 'Group', 'Say', 'Two', 'Group', 'Say']);
  await page.keyboard.press('Control+x');
  await expect.poll(() => names(page)).toEqual(['Clip', 'One', 'Group', 'Say', 'Two']);

  // The page of somebody else, on another behavior.
  writeFileSync(join(demo.folder, 'other.json'), JSON.stringify({ version: 1, name: 'Other', children: [{ type: 'wait', name: 'There', duration_s: 0.1 }] }));
  await page.keyboard.press('Control+s');
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
  await page.keyboard.press('Control+o');
  await page.getByRole('dialog').getByRole('button', { name: 'other.json', exact: true }).click();
  await expect(row(page, 'There')).toBeVisible();
  const bob = await another(browser, demo, 'Bob');
  await bob.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await bob.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await row(bob, 'There').click({ button: 'right' });
  await bob.getByRole('menuitem', { name: 'Paste behind it' }).click();
  await expect.poll(() => names(bob)).toEqual(['Other', 'There', 'Group', 'Say']);
  await expect.poll(() => names(page)).toEqual(['Other', 'There', 'Group', 'Say']);
  await bob.evaluate(() => navigator.clipboard.writeText('no steps'));
  await row(bob, 'There').click();
  await bob.keyboard.press('Control+v');
  await expect(bob.locator('.notices')).toContainText('no steps on the clipboard');
  await bob.context().close();
});

test('a behavior is saved under another name; files are renamed, deleted and put into folders', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Files', children: CHILDREN });
  const has = (file: string): boolean => existsSync(join(demo.folder, file));
  await run(page, 'Step');
  await status(page, 'One', 'success');
  await page.keyboard.press('Control+Shift+s');
  const saveAs = page.getByRole('dialog', { name: 'Save as' });
  await saveAs.getByLabel('File name').fill('copies/second');
  await saveAs.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.file-name')).toHaveText('copies/second.json');
  expect(demo.read('copies/second.json')).toMatchObject({ name: 'Files' });
  // It replaces nothing.
  await page.keyboard.press('Control+Shift+s');
  await saveAs.getByLabel('File name').fill('behavior');
  await saveAs.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.notices')).toContainText('behavior.json is there already');

  await page.keyboard.press('Control+o');
  const open = page.getByRole('dialog', { name: 'Open behavior' });
  await open.getByRole('button', { name: 'New folder' }).click();
  await open.getByRole('textbox', { name: 'Name of the folder' }).fill('doors');
  await page.keyboard.press('Enter');
  await expect(open).toContainText('doors/');
  expect(has('doors')).toBe(true);
  await open.getByRole('button', { name: 'Rename behavior.json' }).click();
  await open.getByRole('textbox', { name: 'New name of behavior.json' }).fill('doors/first');
  await page.keyboard.press('Enter');
  await expect(open.getByRole('button', { name: 'doors/first.json', exact: true })).toBeVisible();
  expect([has('behavior.json'), has('doors/first.json')]).toEqual([false, true]);
  // Who uses it uses it under its new name, too.
  writeFileSync(join(demo.folder, 'user.json'), JSON.stringify({ version: 1, children: [{ type: 'skill', file: 'doors/first.json' }] }));
  await open.getByRole('button', { name: 'Rename doors/first.json' }).click();
  await open.getByRole('textbox', { name: 'New name of doors/first.json' }).fill('gates/one');
  await page.keyboard.press('Enter');
  await expect(open.getByRole('alert')).toContainText('is used by user.json');
  expect(has('doors/first.json')).toBe(true);
  await open.getByRole('button', { name: 'Rename it there, too' }).click();
  await expect(open.getByRole('button', { name: 'gates/one.json', exact: true })).toBeVisible();
  expect(demo.read('user.json')).toMatchObject({ children: [{ file: 'gates/one.json' }] });
  // What is open stays.
  await open.getByRole('button', { name: 'Delete copies/second.json' }).click();
  await open.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.locator('.notices')).toContainText('is part of the behavior that is open');
  expect(has('copies/second.json')).toBe(true);
  // What others use is asked about.
  await open.getByRole('button', { name: 'Delete gates/one.json' }).click();
  await open.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(open.getByRole('alert')).toContainText('is used by user.json');
  expect(has('gates/one.json')).toBe(true);
  await open.getByRole('button', { name: 'Delete all the same' }).click();
  await expect(open.getByRole('button', { name: 'gates/one.json', exact: true })).toBeHidden();
  expect([has('gates/one.json'), has('gates/one.json~')]).toEqual([false, true]);
});

test('a step is added before, gets another type, and is disabled without being deleted @newcomer', async ({ begin }) => {
  const { page, demo } = await begin({ name: 'Hands', children: CHILDREN });
  await menu(page, 'One', 'Add step before…');
  const box = page.getByRole('dialog', { name: 'Add step' });
  await box.getByRole('combobox').fill('stand in');
  await page.keyboard.press('Enter');
  await expect.poll(() => names(page)).toEqual(['Hands', 'stand_in', 'One', 'Group', 'Say', 'Two']);
  await page.keyboard.press('Control+z');
  await expect(rows(page)).toHaveCount(5);

  await menu(page, 'Two', 'Change its type…');
  await page.getByRole('dialog', { name: 'Change its type' }).getByRole('combobox').fill('stand in');
  await page.keyboard.press('Enter');
  await expect(page.locator('.settings-head')).toContainText('stand in:');
  await expect(field(page, 'duration_s').locator('input')).toHaveValue('0.2');

  await menu(page, 'Group', 'Disabled: it does not run');
  await expect(row(page, 'Say')).toHaveClass(/\boff\b/);
  const struck = (name: string) =>
    row(page, name)
      .locator('.name')
      .evaluate((element) => getComputedStyle(element).textDecorationLine);
  expect([await struck('Group'), await struck('Say'), await struck('One')]).toEqual(['line-through', 'line-through', 'none']);
  await run(page, 'Automatic');
  await status(page, 'Two', 'success');
  await expect(row(page, 'Say')).not.toHaveClass(/success|running|failure/);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.file-name .unsaved')).toBeHidden();
  expect(demo.read('behavior.json')).toMatchObject({ children: [{ name: 'One' }, { name: 'Group', disabled: true }, { name: 'Two', type: 'stand_in' }] });
  await row(page, 'Group').click();
  await page.keyboard.press('Control+/');
  await expect(row(page, 'Say')).not.toHaveClass(/\boff\b/);
});

test('+ Add puts the cursor into the new answer, and a blank one is a problem', async ({ begin }) => {
  const { page } = await begin({ name: 'Ask', children: [{ type: 'question', name: 'Which way', text: 'Push or pull?', options: ['push'] }] });
  await row(page, 'Which way').click();
  await field(page, 'options').getByRole('button', { name: 'Add' }).click();
  await expect(field(page, 'options').locator('.list-item').nth(1).locator('input')).toBeFocused();
  await expect(field(page, 'options').getByRole('alert')).toContainText('answer 2 of the question is blank');
  await page.keyboard.type('pull');
  await page.keyboard.press('Enter');
  await expect(field(page, 'options').getByRole('alert')).toBeHidden();
  await expect(field(page, 'options').locator('.list-item').nth(1).locator('input')).toHaveValue('pull');
});
