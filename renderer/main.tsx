import './zodWithoutEval';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Frame } from './features/frame/Frame';
import { createHost } from './host/client';
import { connectHost } from './host/connectHost';
import { takePageKey } from './host/pageKey';
import { followHost } from './stores/app';
import { followNotifications } from './stores/notifications';
import { followRules } from './stores/rules';
import { followSandbox } from './stores/sandbox';
import { followSearch } from './stores/search';
import { SessionFeed } from './stores/sessionFeed';
import { followStart } from './stores/startSession';
import { followTheme } from './stores/theme';
import { followTranscripts } from './stores/transcripts';
import './styles/main.css';

takePageKey(window);
const link = createHost(connectHost);
followTheme();
followHost();
followRules();
followSandbox();
followNotifications();
followStart();
followSearch();
followTranscripts();
const feed = new SessionFeed();
link.start();

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no element with the id "root".');
createRoot(place).render(
  <StrictMode>
    <Frame />
  </StrictMode>,
);

window.addEventListener('pagehide', (event) => {
  // A page that goes into the back-forward cache comes back and goes on.
  if (event.persisted) return;
  feed.dispose();
  link.dispose();
});
