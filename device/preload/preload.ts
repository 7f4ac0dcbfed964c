import { contextBridge, ipcRenderer } from 'electron';
import { channels } from '../ipc/channels.ts';
import type { Intent, IntentAnswer, TerminalBridge } from '../ipc/intent.ts';

/** All that the page ever sees of Electron: two functions, no object of ours, no event with a sender in it. */
const bridge: TerminalBridge = {
  onView(listener) {
    const forward = (_event: unknown, view: unknown) => listener(view);
    ipcRenderer.on(channels.view, forward);
    ipcRenderer.send(channels.watch);
    return () => void ipcRenderer.off(channels.view, forward);
  },
  send: (intent: Intent) => ipcRenderer.invoke(channels.intent, intent) as Promise<IntentAnswer>,
};

contextBridge.exposeInMainWorld('florin', bridge);
