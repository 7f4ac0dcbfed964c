import type { Screen } from '../../ipc/view.ts';

/** The part of the View for one screen. */
export type ScreenProps<Name extends Screen['name']> = { readonly screen: Extract<Screen, { name: Name }> };
