import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Wire } from './api/socket';
import { registerAll } from './commands/list';
import { listenToKeys } from './commands/keys';
import { listenToPaste } from './panels/tree/clipboard';
import { App } from './shell/App';
import { keepAppearance } from './shell/appearance';
import { connect } from './state/connect';
import { connectBulk } from './state/bulk';
import { takeTokenFromAddress, token } from './state/self';
import { rememberAll } from './state/past';
import './styles/index.css';

takeTokenFromAddress();
keepAppearance();
registerAll();
listenToKeys(window);
listenToPaste(window);

function address(path: string): string {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  url.hash = '';
  return url.href;
}

const client = connect(() => new WebSocket(address('/api/v1')) as unknown as Wire);
window.addEventListener('online', () => client.retryNow());
rememberAll();
connectBulk(address('/api/v1/bulk'), token() ?? null);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
