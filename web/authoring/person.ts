import { expect, type Page } from '@playwright/test';
import { add, field, menu, rename, row, rows, run, setNumber, status, tree } from '../tests/station';

/** Seconds that a person is given for each thing they do. */
export const OPERATION_S = 2;

/** A place in the world, as the page shows it. */
export interface Place {
  x: number;
  y: number;
  z: number;
}

/** Does what a person does in the page, one thing at a time, and counts. */
export class Person {
  operations = 0;
  executing_s = 0;
  readonly told: string[] = [];

  constructor(readonly page: Page) {}

  /** At human speed: the operations, and the true time of everything that the robot did meanwhile. */
  get total_s(): number {
    return this.operations * OPERATION_S + this.executing_s;
  }

  private async operation(what: string, act: () => Promise<void>): Promise<void> {
    await act();
    this.operations += 1;
    this.told.push(what);
  }

  add(words: string): Promise<void> {
    return this.operation(`add ${words}`, () => add(this.page, words));
  }

  rename(to: string): Promise<void> {
    return this.operation(`call it ${to}`, () => rename(this.page, to));
  }

  select(name: string): Promise<void> {
    return this.operation(`select ${name}`, () => row(this.page, name).click());
  }

  /** One number: an axis of a pose counts as one. */
  number(name: string, value: number, part = ''): Promise<void> {
    return this.operation(`${name} ${part} = ${value}`, async () => {
      await setNumber(this.page, name, value, part);
      const input = field(this.page, name)
        .locator(part ? `input[id$="-${part}"]` : 'input:not([type=range])')
        .first();
      await expect.poll(async () => Number(await input.inputValue())).toBeCloseTo(value, 3);
    });
  }

  text(name: string, value: string): Promise<void> {
    return this.operation(`${name} = ${value}`, async () => {
      const input = field(this.page, name).locator('input').first();
      await input.fill(value);
      await input.press('Enter');
      await expect(input).toHaveValue(value);
    });
  }

  choose(name: string, value: string): Promise<void> {
    return this.operation(`${name}: ${value}`, async () => {
      const list = field(this.page, name).getByRole('combobox');
      await list.selectOption({ label: value }).catch(() => list.selectOption(value));
    });
  }

  menu(name: string, item: string): Promise<void> {
    return this.operation(`${name}: ${item}`, () => menu(this.page, name, item));
  }

  /** A copy behind a step, which is the selected one then. */
  duplicate(name: string): Promise<void> {
    return this.operation(`duplicate ${name}`, async () => {
      const before = await rows(this.page).count();
      await menu(this.page, name, 'Duplicate');
      await expect(rows(this.page)).toHaveCount(before + 1);
      const nth = await rows(this.page).evaluateAll((all, called) => all.findIndex((one) => one.getAttribute('aria-label')?.startsWith(called)), name);
      await expect(rows(this.page).nth(nth + 1)).toHaveAttribute('aria-selected', 'true');
    });
  }

  press(what: string, act: () => Promise<void>): Promise<void> {
    return this.operation(what, act);
  }

  /** Makes a step next and runs it; what the robot does counts with its true time. */
  async execute(name: string, result = 'success'): Promise<void> {
    await this.operation(`next: ${name}`, async () => {
      await row(this.page, name).click();
      await tree(this.page).focus();
      await this.page.keyboard.press('Alt+n');
    });
    await this.operation(`step: ${name}`, () => run(this.page, 'Step'));
    await this.watch(async () => {
      // A step that ends within a tick is never seen running.
      await expect(row(this.page, name))
        .toHaveClass(/\brunning\b/, { timeout: 2_000 })
        .catch(() => undefined);
      await status(this.page, name, result);
    });
  }

  /** Waits for what the robot does, and counts that time. */
  async watch(until: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    await until();
    this.executing_s += (performance.now() - begun) / 1000;
  }

  /** Where the scene panel shows an object to be. */
  async sees(name: string): Promise<Place> {
    await this.page
      .getByRole('tab', { name: 'Scene' })
      .or(this.page.locator('.dv-tab', { hasText: 'Scene' }))
      .first()
      .click();
    const line = this.page.locator('table.scene tr', { has: this.page.locator('th', { hasText: new RegExp(`^${name}`) }) }).first();
    const [x = 0, y = 0, z = 0] = ((await line.locator('td.mono').first().textContent()) ?? '').split(',').map(Number);
    await this.page.locator('.dv-tab', { hasText: 'Settings' }).first().click();
    return { x, y, z };
  }

  /** Where the 3D view shows the pelvis to be. */
  async pelvis(): Promise<Place> {
    const text = (await this.page.locator('.readout').textContent()) ?? '';
    const [x = 0, y = 0, z = 0] = (/pelvis ([^m]*) m/.exec(text)?.[1] ?? '').split(',').map(Number);
    return { x, y, z };
  }
}
