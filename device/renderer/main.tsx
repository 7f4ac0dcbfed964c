import './platform/no-eval.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { connectTerminal } from './bridge.ts';
import { timers } from './platform/time.ts';
import { screenWords } from './words/words.ts';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
createRoot(place).render(<App link={connectTerminal({ window, timers })} words={screenWords} />);
