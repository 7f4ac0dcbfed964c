import { z } from 'zod';

// Schemas compile themselves with `new Function` by default, which the content security policy refuses and
// reports. Imported before any schema is made.
z.config({ jitless: true });
