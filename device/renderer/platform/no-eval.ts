import { z } from 'zod';

// zod compiles schemas with `new Function` by default, which the content security policy blocks and reports. Import
// this before any schema is created.
z.config({ jitless: true });
