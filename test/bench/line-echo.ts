import { openPty } from '@florin/hardware-sim/pty/open.ts';
import { checksum } from '@florin/shared/reader-line/frame.ts';

/**
 * The far end of a serial line, in a separate process: answers every request with the same fields, and HELLO as a reader
 * does. With `echo` as its argument it returns every line unchanged.
 */
const isEcho = process.argv[2] === 'echo';
const pty = await openPty('koffi');
let rest = '';
pty.onData(bytes => {
  const lines = (rest + bytes.toString('latin1')).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) pty.write(Buffer.from(`${isEcho ? line : answerTo(line)}\n`, 'latin1'));
});
process.on('disconnect', () => pty.close());
process.send?.({ path: pty.path });

function answerTo(line: string): string {
  const request = line.slice(0, line.lastIndexOf('*'));
  const nonce = /^Q \d{4} HELLO .*nonce=([0-9a-f]+)/.exec(request)?.[1];
  const details =
    nonce === undefined ? '' : ` proto=1 nonce=${nonce} boot=1a2b3c4d serial=ECHO1 fw=1 caps=none tamper=0`;
  const body = nonce === undefined ? `A${request.slice(1)}` : `A${request.slice(1, 12)}${details}`;
  return `${body}*${checksum(body)}`;
}
