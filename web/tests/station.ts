import { test as base, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Demo, Pair, ROOT } from './processes';

export { COACT, Demo, Pair, ROOT } from './processes';

interface Fixtures {
  /** Starts a demo on a behavior and opens the page; given as an object, with files that lie `beside` it, or as a path in the repository. */
  begin: (behavior: object | string, more?: string[]) => Promise<{ page: Page; demo: Demo }>;
  /** The same with the robot in a process of its own, which a test can hold or end; with a rank, the two have keys. */
  beginApart: (behavior: object, rank?: 'observer' | 'operator') => Promise<{ page: Page; pair: Pair }>;
}

export const test = base.extend<Fixtures>({
  begin: async ({ page }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'coact-test-'));
    const demo = new Demo(folder);
    page.on('pageerror', (error) => console.error('the page threw', error));
    await use(async (behavior, more) => {
      put(folder, behavior);
      await demo.start('behavior.json', 0, more);
      await open(page, demo, 'Anna');
      return { page, demo };
    });
    await demo.end();
    demo.close();
    rmSync(folder, { recursive: true, force: true });
  },
  beginApart: async ({ page }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'coact-test-'));
    const pair = new Pair(folder);
    await use(async (behavior, rank) => {
      put(folder, behavior);
      if (rank) pair.allow(rank);
      await pair.start('behavior.json');
      await open(page, pair, 'Anna');
      return { page, pair };
    });
    await pair.end();
    rmSync(folder, { recursive: true, force: true });
  },
});

function put(folder: string, behavior: object | string): void {
  const path = join(folder, 'behavior.json');
  if (typeof behavior === 'string') copyFileSync(join(ROOT, behavior), path);
  else {
    const { beside = {}, ...own } = behavior as { beside?: Record<string, object> };
    for (const [name, file] of Object.entries(beside)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), JSON.stringify(file));
    }
    writeFileSync(path, JSON.stringify({ version: 1, ...own }));
  }
}

export { expect };

export async function open(page: Page, demo: { address: string }, name: string): Promise<void> {
  // The tour is for newcomers; a test of its own looks at it.
  await page.addInitScript(() => {
    if (!localStorage.getItem('coact.ui')) localStorage.setItem('coact.ui', '{"toured":true}');
  });
  await page.goto(`${demo.address}/?name=${name}`);
  await expect(tree(page)).toBeVisible();
  await expect(page.locator('.status')).toContainText('Link good');
}

export async function another(browser: Browser, demo: { address: string }, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await open(page, demo, name);
  return page;
}

export const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Behavior' });
/** By its whole name: "Right arm" is not "Before the right arm". */
export const row = (page: Page, name: string): Locator =>
  tree(page)
    .getByRole('treeitem', { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(,|$)`) })
    .first();
export const rows = (page: Page): Locator => tree(page).getByRole('treeitem');
export const names = (page: Page): Promise<string[]> =>
  rows(page).evaluateAll((all) => all.map((one) => one.querySelector('.name')?.firstChild?.textContent ?? ''));
export const menu = async (page: Page, step: string, item: string): Promise<void> => {
  await row(page, step).click({ button: 'right' });
  await page.getByRole('menu').getByText(item, { exact: true }).click();
};

/** As a person adds one: the focus in the tree, A, what it does, Enter. */
export async function add(page: Page, words: string): Promise<void> {
  const before = await rows(page).count();
  const chosen = await tree(page).getAttribute('aria-activedescendant');
  await tree(page).focus();
  await page.keyboard.press('a');
  const box = page.getByRole('dialog', { name: 'Add step' });
  await box.getByRole('combobox').fill(words);
  // A person presses Enter when the entry they mean is the chosen one.
  await expect(box.locator('[cmdk-item][aria-selected=true] .title')).toHaveText(new RegExp(`^${words}`));
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(before + 1);
  // And goes on when the new one is selected, which comes with the answer, a little after the change.
  await expect(tree(page)).not.toHaveAttribute('aria-activedescendant', chosen ?? '');
}

export async function rename(page: Page, to: string): Promise<void> {
  await tree(page).focus();
  await page.keyboard.press('F2');
  await tree(page).getByRole('textbox', { name: 'Name' }).fill(to);
  await page.keyboard.press('Enter');
  await expect(row(page, to)).toBeVisible();
}

export const field = (page: Page, name: string): Locator => page.locator(`.panel-settings [data-field="${name}"]`);

export async function setNumber(page: Page, name: string, value: number, part = ''): Promise<void> {
  const input = field(page, name)
    .locator(part ? `input[id$="-${part}"]` : 'input:not([type=range])')
    .first();
  await input.fill(String(value));
  await input.press('Enter');
}

export const run = (page: Page, button: string): Promise<void> =>
  page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: button, exact: true }).click();
export const status = (page: Page, step: string, is: string): Promise<void> =>
  expect(row(page, step)).toHaveClass(new RegExp(`\\b${is}\\b`), { timeout: 40_000 });
export const mode = (page: Page, is: string): Promise<void> => expect(page.locator('.status .mode')).toContainText(is);
export const bars = (page: Page): Locator => page.locator('.time-bar');
