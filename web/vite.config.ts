import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// `COACT` is the address of a running `coact demo`, for work on the page with live reload.
const operator = process.env.COACT ?? 'http://127.0.0.1:8420';

export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: operator, ws: true } } },
  test: { include: ['src/**/*.test.{ts,tsx}'] },
});
