import { contextBridge, ipcRenderer } from 'electron';
import { channels } from '../ipc/channels.ts';
import type { ActionResult, TerminalBridge, UserAction } from '../ipc/user-action.ts';

/** All that the page can reach of Electron: two functions, without Electron objects or events. */
const bridge: TerminalBridge = {
  onView(listener) {
    const forward = (_event: unknown, view: unknown) => listener(view);
    ipcRenderer.on(channels.view, forward);
    ipcRenderer.send(channels.watch);
    return () => void ipcRenderer.off(channels.view, forward);
  },
  send: (action: UserAction) => ipcRenderer.invoke(channels.action, action) as Promise<ActionResult>,
};

contextBridge.exposeInMainWorld('florin', bridge);
