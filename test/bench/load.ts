import { Pool } from 'undici';
import { type Measured, measureConcurrently } from './measure.ts';

export type Call = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Keeps `connections` requests in progress until `times` were answered, and passes every answer to `check`. */
export async function load(options: {
  readonly url: string;
  readonly connections: number;
  readonly times: number;
  readonly call: (index: number) => Call;
  readonly check: (status: number, body: string) => void;
}): Promise<Measured> {
  const pool = new Pool(options.url, { connections: options.connections, pipelining: 1 });
  try {
    return await measureConcurrently({ times: options.times, concurrency: options.connections }, async index => {
      const { path, headers, body } = options.call(index);
      const answer = await pool.request({ method: 'POST', path, headers, body });
      options.check(answer.statusCode, await answer.body.text());
    });
  } finally {
    await pool.close();
  }
}
