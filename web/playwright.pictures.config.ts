import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** The pictures of the documentation: `npm run pictures` takes them anew. */
export default defineConfig({ ...tests, testDir: 'pictures', timeout: 300_000, workers: 1 });
