import { another, expect, field, row, run, setNumber, status, test } from './station';

const walk = { type: 'stand_in', name: 'Long', duration_s: 600 };
const card = (page: import('@playwright/test').Page) => page.getByRole('alertdialog', { name: 'The behavior asks' });
const control = (page: import('@playwright/test').Page) => page.locator('.status').getByTitle(/Who may run the robot/);

test('one has the run; another places, freezes and takes back objects, and the run stays with the first', async ({ begin, browser }) => {
  const { page: anna, demo } = await begin({ name: 'Together', children: [walk] });
  await run(anna, 'Automatic');
  await status(anna, 'Long', 'running');
  const ben = await another(browser, demo, 'Ben');
  await expect(control(ben)).toHaveText('Anna has control');
  await ben.getByText('Scene', { exact: true }).click();
  await ben.getByRole('button', { name: 'Place…' }).click();
  await ben.getByRole('form', { name: 'Place an object' }).getByLabel('Name').fill('mug');
  await ben.getByRole('button', { name: 'Put it there' }).click();
  await anna.getByText('Scene', { exact: true }).click();
  await expect(anna.getByRole('row', { name: /mug/ })).toBeVisible();
  await ben.getByRole('button', { name: 'Freeze mug' }).click();
  await expect(anna.getByRole('row', { name: /mug/ })).toContainText('frozen');
  await ben.getByRole('button', { name: 'Delete mug' }).click();
  await expect(anna.getByRole('row', { name: /mug/ })).toBeHidden();
  await expect(control(anna)).toHaveText('You have control');
  await status(anna, 'Long', 'running');
  // The run itself is hers.
  await run(ben, 'Pause');
  await expect(ben.getByRole('log', { name: 'Notices' })).toContainText('Anna is in control');
  await ben.context().close();
});

test('what is asked of anybody another answers; what is asked of whoever has control is refused to them', async ({ begin, browser }) => {
  const ask = (name: string, more: object) => ({ type: 'question', name, text: `${name}?`, options: ['yes', 'no'], ...more });
  const { page: anna, demo } = await begin({ name: 'Asks', children: [ask('Mine', {}), ask('Anybody', { asked_of: 'anybody' }), walk] });
  await run(anna, 'Automatic');
  const ben = await another(browser, demo, 'Ben');
  await expect(card(ben)).toContainText('Asked of whoever has control');
  await card(ben).getByRole('button', { name: 'yes' }).click();
  await expect(ben.getByRole('log', { name: 'Notices' })).toContainText('Anna is in control');
  await card(anna).getByRole('button', { name: 'yes' }).click();
  await expect(card(ben)).toContainText('Asked of anybody');
  await card(ben).getByRole('button', { name: 'yes' }).click();
  await status(anna, 'Long', 'running');
  await expect(control(anna)).toHaveText('You have control');
  await ben.context().close();
});

test('a point, an object and a frame are asked for at once: shown in the 3D view, placed, chosen', async ({ begin }) => {
  const { page } = await begin({
    name: 'Shows',
    variables: { where: {}, what: '', frame: '', many: 0 },
    children: [
      {
        type: 'input',
        name: 'Ask',
        text: 'Show me what to take',
        variable: 'where',
        kind: 'point',
        also: [
          { name: 'what', kind: 'object', variable: 'what' },
          { name: 'frame', kind: 'frame', variable: 'frame' },
          { name: 'many', kind: 'number', variable: 'many' },
        ],
      },
      { type: 'wait_until', name: 'Taken', condition: "where.z_m < 0.1 && what == 'mug' && frame == 'pelvis' && many == 2" },
    ],
  });
  await run(page, 'Automatic');
  await expect(card(page)).toContainText('Show me what to take');
  const answer = card(page).getByRole('button', { name: 'Answer' });
  await expect(answer).toBeDisabled();

  await card(page).getByRole('button', { name: 'Show it in 3D' }).click();
  await expect(card(page).locator('output')).toHaveText(/m$/);
  const before = await card(page).locator('output').textContent();
  const view = await page.locator('.view canvas').boundingBox();
  if (!view) throw new Error('no view');
  // On the ground, beside the robot.
  await page.mouse.click(view.x + view.width * 0.12, view.y + view.height * 0.6);
  await expect(card(page).locator('output')).not.toHaveText(before ?? '');
  await expect(card(page).locator('output')).toHaveText(/, -?0\.0\d m$/);
  await card(page).getByRole('button', { name: 'That is it' }).click();

  await card(page).getByRole('button', { name: 'Place one…' }).click();
  const form = page.getByRole('form', { name: 'Place an object' });
  await form.getByLabel('Name').fill('mug');
  await form.getByRole('button', { name: 'Put it there' }).click();
  await expect(card(page).getByLabel('what (object)')).toHaveValue('mug');
  await card(page).getByLabel('frame (frame)').selectOption('pelvis');
  await card(page).getByLabel('many').fill('2');
  await answer.click();
  await expect(card(page)).toBeHidden();
  await status(page, 'Taken', 'success');
});

test('a place on the cloud, a pose and a template are asked for at once', async ({ begin }) => {
  const { page } = await begin(
    {
      name: 'Sees',
      variables: { where: {}, how: {}, what: '' },
      children: [
        { type: 'neck', name: 'Look', pitch_deg: 30, duration_s: 1 },
        {
          type: 'input',
          name: 'Ask',
          text: 'Show me',
          variable: 'where',
          kind: 'point',
          also: [
            { name: 'how', kind: 'pose', variable: 'how' },
            { name: 'what', kind: 'template', class: 'ball', variable: 'what' },
          ],
        },
        { type: 'wait_until', name: 'Taken', condition: "where.z_m > 0.6 && how.yaw_deg > 5 && what == 'ball'" },
      ],
    },
    ['--world', 'table-balls', '--robot', 'coact-one'],
  );
  await run(page, 'Automatic');
  await expect(card(page)).toContainText('Show me');
  const spot = () =>
    page.locator('.view canvas').evaluate((element) => {
      const { view } = element as unknown as { view: import('../src/three/view').View };
      const { geometry } = (
        view as unknown as { clouds: { object: { geometry: { drawRange: { count: number }; getAttribute(name: string): { array: Float32Array } } } } }
      ).clouds.object;
      const all = geometry.getAttribute('position').array;
      // On the table, at its right edge: nothing stands between it and the eye.
      const on = [...Array(geometry.drawRange.count).keys()]
        .filter((index) => (all[index * 3 + 2] ?? 0) > 0.65 && (all[index * 3 + 2] ?? 0) < 0.8)
        .sort((a, b) => (all[a * 3 + 1] ?? 0) - (all[b * 3 + 1] ?? 0));
      const at = on[Math.floor(on.length / 20)];
      return at === undefined ? null : view.project(view.camera.focus.clone().set(all[at * 3] ?? 0, all[at * 3 + 1] ?? 0, all[at * 3 + 2] ?? 0));
    });
  await expect.poll(spot).not.toBeNull();
  await card(page).getByRole('button', { name: 'Show it in 3D' }).first().click();
  const at = await spot();
  if (!at) throw new Error('no table is seen');
  await page.mouse.click(at.x, at.y);
  await expect(card(page).locator('output').first()).toHaveText(/0\.[678]\d m$/);
  await card(page).getByRole('button', { name: 'That is it' }).click();

  await card(page).getByRole('button', { name: 'Show it in 3D' }).nth(1).click();
  const canvas = page.locator('.view canvas');
  await canvas.focus();
  for (let press = 0; press < 10; press++) await page.keyboard.press('Control+ArrowLeft');
  await expect(card(page).locator('output').nth(1)).toHaveText(/, 10°$/);
  await card(page).getByRole('button', { name: 'That is it' }).click();

  await card(page).getByRole('button', { name: 'Place one…' }).click();
  await page.getByRole('form', { name: 'Place an object' }).getByRole('button', { name: 'Put it there' }).click();
  await expect(card(page).getByLabel('what (template ball)')).toHaveValue('ball');
  await card(page).getByRole('button', { name: 'Answer' }).click();
  await status(page, 'Taken', 'success');
});

test('a role in the team is asked: who has it answers, says so at the station, and takes no control', async ({ begin, browser }) => {
  const { page: anna, demo } = await begin({ name: 'Roles', children: [{ type: 'question', name: 'Ask', text: 'Is it clear?', options: ['yes'] }, walk] });
  await row(anna, 'Ask').click();
  await field(anna, 'asked_of').getByRole('combobox').selectOption('team_role');
  await field(anna, 'team_role').getByRole('textbox').fill('auxiliary');
  await anna.keyboard.press('Enter');
  const ben = await another(browser, demo, 'Ben');
  await ben.locator('.own-name').click();
  await ben.getByLabel('Your role in the team').fill('auxiliary');
  await ben.keyboard.press('Enter');
  await expect(ben.locator('.own-name')).toHaveText('Ben (auxiliary)');
  await expect(anna.locator('.person')).toHaveText('Ben (auxiliary)');
  await run(anna, 'Automatic');
  const carl = await another(browser, demo, 'Carl');
  await card(carl).getByRole('button', { name: 'yes' }).click();
  await expect(carl.getByRole('log', { name: 'Notices' })).toContainText('the role auxiliary is asked');
  await carl.context().close();
  await expect(card(ben)).toContainText('Asked of the role auxiliary');
  await card(ben).getByRole('button', { name: 'yes' }).click();
  await status(anna, 'Long', 'running');
  await expect(control(anna)).toHaveText('You have control');
  await ben.context().close();
});

test('whom a question asks is a setting of the step', async ({ begin }) => {
  const { page } = await begin({
    name: 'Authors',
    children: [
      { type: 'input', name: 'Ask', text: 'How far?', variable: 'far' },
      { type: 'wait', name: 'Then' },
    ],
    variables: { far: 0 },
  });
  await row(page, 'Ask').click();
  await field(page, 'asked_of').getByRole('combobox').selectOption('anybody');
  await row(page, 'Then').click();
  await setNumber(page, 'duration_s', 0.1);
  await run(page, 'Automatic');
  await expect(card(page)).toContainText('Asked of anybody');
});
