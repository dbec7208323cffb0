import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** Figures, not tests: `npm run bench` prints them and asserts nothing. */
export default defineConfig({ ...tests, testDir: 'bench', timeout: 1_200_000, workers: 1 });
