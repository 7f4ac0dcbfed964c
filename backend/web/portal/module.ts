import type { Module } from '../../foundation/module.ts';
import { type PortalFiles, readPortal } from './files.ts';
import { portalPageRoutes } from './routes.ts';

/** The document and the assets of the merchant portal, read when the first of them is asked for. */
export function portalPagesModule(): Module<undefined> {
  let read: Promise<PortalFiles> | undefined;
  const files = () => {
    read ??= import('./bundle.ts').then(async ({ portalFolder }) => readPortal(await portalFolder()));
    return read;
  };
  return { service: undefined, routes: portalPageRoutes(files), jobs: [] };
}
