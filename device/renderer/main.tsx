import './platform/no-eval.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connectTerminal } from './bridge.ts';
import { DisplayContext } from './components/frame.tsx';
import { timers } from './platform/time.ts';
import { wordsOf } from './words/words.ts';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
const isDisplay = new URLSearchParams(window.location.hash.slice(1)).get('display') === 'customer';
createRoot(place).render(
  <DisplayContext value={isDisplay}>
    <App link={connectTerminal({ window, timers })} wordsOf={wordsOf} />
  </DisplayContext>,
);
