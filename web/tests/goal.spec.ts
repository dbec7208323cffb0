import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ROOT, expect, menu, names, row, run, status, test, tree } from './station';

const vigir = JSON.parse(readFileSync(join(ROOT, 'capabilities/vigir.json'), 'utf8')) as object;
const pickUp = {
  name: 'Pick up tool',
  beside: { 'capabilities/vigir.json': vigir },
  children: [
    { type: 'stand_in', name: 'stand', duration_s: 0.3 },
    { type: 'stand_in', name: 'manipulate', duration_s: 0.5 },
    { type: 'stand_in', name: 'pick up object', duration_s: 0.3 },
  ],
};
const WAY = ['stand', 'target_pose', 'footstep_goal', 'footstep_plan', 'footstep_execution'];

const panel = (page: Page): Locator => page.locator('.panel-goal .goal');
const ghosts = (page: Page): Promise<string[]> => tree(page).locator('.ghost .name').allTextContents();

async function want(page: Page, goal: string): Promise<void> {
  await panel(page).getByRole('combobox', { name: 'Goal', exact: true }).fill(goal);
  await page.keyboard.press('Enter');
  await expect(panel(page).locator('.goal-list li').filter({ hasText: goal })).toBeVisible();
}

test('demonstration 3: locked, found from there, put in, unlocked, and at the end', async ({ begin }, info) => {
  const { page } = await begin(pickUp);
  await page.getByRole('tab', { name: 'Goal' }).click();
  await menu(page, 'manipulate', 'Lock');
  await run(page, 'Automatic');
  await status(page, 'manipulate', 'running');
  // What is so is filled in from the run: the pivot counts, because nothing behind it runs before it has succeeded.
  await expect(panel(page).getByLabel('Mode')).toHaveValue('manipulate');

  await want(page, 'footstep_execution');
  await panel(page).getByRole('button', { name: 'Synthesise' }).click();
  await expect.poll(() => ghosts(page)).toEqual(['Achieve: footstep_execution', ...WAY]);
  await panel(page).getByLabel('Then').selectOption({ label: 'nothing more: the end' });
  await expect.poll(() => ghosts(page)).toEqual(['Achieve: footstep_execution', ...WAY, '→ the end']);
  await expect(panel(page)).toContainText('Proved in all 6 runs');
  await page.screenshot({ path: info.outputPath('found.png') });
  expect(await names(page)).toEqual(['Pick up tool', 'stand', 'manipulate', 'Achieve: footstep_execution', ...WAY, '→ the end', 'pick up object']);

  await panel(page).getByRole('button', { name: 'Put it in' }).click();
  await expect.poll(() => ghosts(page)).toEqual([]);
  await expect(row(page, 'footstep_execution')).toBeVisible();
  await menu(page, 'manipulate', 'Lock');
  await status(page, 'footstep_execution: completed', 'success');
  await expect(page.locator('.outcome')).toHaveText(/^Succeeded in \d+\.\d s$/);
  await expect(row(page, 'pick up object')).not.toHaveClass(/success|running/);

  // All of it was one operation.
  await tree(page).focus();
  await page.keyboard.press('Control+z');
  await expect(row(page, 'footstep_execution')).toHaveCount(0);
  expect(await names(page)).toEqual(['Pick up tool', 'stand', 'manipulate', 'pick up object']);
});

test('why not is said in words, and a synthesised subtree is had again beside itself', async ({ begin }, info) => {
  const { page } = await begin(pickUp);
  await page.getByRole('tab', { name: 'Goal' }).click();
  await panel(page).getByLabel('Mode').selectOption('stand');
  await want(page, 'stand_prep');
  await panel(page).getByRole('button', { name: 'Synthesise' }).click();
  await expect(panel(page).getByRole('alert')).toContainText('`stand_prep` cannot be reached from `stand`: nothing leads to it');
  await page.screenshot({ path: info.outputPath('why-not.png') });
  await panel(page).getByRole('button', { name: 'Take stand_prep away' }).click();
  await want(page, 'grasp_objct');
  await panel(page).getByRole('button', { name: 'Synthesise' }).click();
  await expect(panel(page).getByRole('alert')).toContainText('did you mean `grasp_object`?');
  await panel(page).getByRole('button', { name: 'Take grasp_objct away' }).click();

  await want(page, 'look_down');
  await want(page, 'grasp_object');
  await panel(page).getByRole('button', { name: 'Synthesise' }).click();
  await panel(page).getByRole('button', { name: 'Put it in' }).click();
  const achieve = 'Achieve: look_down, grasp_object';
  await expect(row(page, achieve)).toHaveAttribute('aria-selected', 'true');
  await panel(page).getByRole('button', { name: 'Synthesise again' }).click();
  await expect.poll(() => ghosts(page)).toEqual([achieve, 'look_down', 'manipulate', 'object_template', 'grasp_object']);
  await expect(panel(page)).toContainText(`beside “${achieve}”`);
  await page.screenshot({ path: info.outputPath('again.png') });
  await panel(page).getByRole('button', { name: 'Put it in' }).click();
  await expect(tree(page).getByRole('treeitem', { name: new RegExp(`^${achieve}`) })).toHaveCount(2);
});
