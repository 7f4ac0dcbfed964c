import { z } from 'zod';
import { contract } from '../contract.ts';
import { json } from '../responses.ts';
import { terminalMode } from '../terminal-mode.ts';
import { staffAuthorisation } from './refunds.ts';

export const managerRequiredMessage = 'Only a manager may enter or leave kiosk mode';

export const changeTerminalMode = contract({
  name: 'changeTerminalMode',
  method: 'POST',
  path: '/device/v1/mode',
  authentication: ['deviceToken'],
  summary: 'Enter or leave kiosk mode, authorised by a manager',
  description:
    'A manager is a staff member with `mayManageTerminals`. Required even if password protection of refunds is switched off. Every password check is logged in the audit log.',
  tag: 'Staff',
  body: z.object({ mode: terminalMode, authorisation: staffAuthorisation }),
  responses: { 200: json(z.object({ mode: terminalMode })) },
  errors: {
    403: ['invalid_signature', 'manager_required'],
    409: ['authorisation_expired', 'password_change_required'],
    429: ['staff_locked', 'too_many_attempts'],
  },
  origin: 'project',
});
