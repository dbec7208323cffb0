import { StrictMode, useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Wire } from './api/socket';
import { registerAll } from './commands/list';
import { listenToKeys } from './commands/keys';
import { listenToPaste } from './panels/tree/clipboard';
import { App } from './shell/App';
import { listenToLongPress } from './shell/longPress';
import { WhoAreYou } from './shell/WhoAreYou';
import { keepAppearance } from './shell/appearance';
import { connect } from './state/connect';
import { connectBulk } from './state/bulk';
import { watchSilence } from './state/contact';
import { mustAskName, takeTokenFromAddress, token } from './state/self';
import { sampleRobot } from './state/plots';
import { rememberAll } from './state/past';
import './styles/index.css';

takeTokenFromAddress();
keepAppearance();
registerAll();
listenToKeys(window);
listenToLongPress(window);
listenToPaste(window);

function address(path: string): string {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = '';
  url.hash = '';
  return url.href;
}

function begin(): void {
  const client = connect(() => new WebSocket(address('/api/v1')) as unknown as Wire);
  window.addEventListener('online', () => client.retryNow());
  watchSilence();
  rememberAll();
  sampleRobot();
  connectBulk(address('/api/v1/bulk'), token() ?? null);
}

function Page(): ReactNode {
  const [named, setNamed] = useState(!mustAskName());
  useEffect(() => {
    if (named) begin();
  }, [named]);
  return named ? (
    <StrictMode>
      <App />
    </StrictMode>
  ) : (
    <WhoAreYou done={() => setNamed(true)} />
  );
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<Page />);
