import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** How long it takes to author a behavior, at human speed: `npm run authoring` prints it. */
export default defineConfig({ ...tests, testDir: 'authoring', timeout: 1_800_000 });
