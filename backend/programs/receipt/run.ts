import { readFileSync } from 'node:fs';
import { inOneLine } from '@florin/shared/command-line.ts';
import { printable } from '@florin/shared/printable.ts';
import { checkReceipt, keysAddressOf } from '@florin/shared/receipts/verdict.ts';
import { sentencesOf } from '@florin/shared/receipts/words.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import { CommanderError } from 'commander';
import { Command as Parser } from '../../foundation/platform/command-line.ts';

/** The arguments and streams of a command line. */
export type ReceiptCall = {
  readonly args: readonly string[];
  readonly now: () => number;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
};

const fetchWithinMs = 20_000;

/** Runs one command and returns its exit code: 0 valid; 1 not valid or not checked; 2 invalid command line. */
export async function runReceipt(call: ReceiptCall): Promise<number> {
  let isValid = false;
  const parser = new Parser('npm run receipt --')
    .exitOverride()
    .description('Checks signed receipts, which the page of a receipt offers as files, without asking the business.');
  parser.configureOutput({
    writeOut: text => call.print(text.trimEnd()),
    writeErr: text => call.printError(text.trimEnd()),
  });
  inOneLine(parser);
  parser
    .command('verify')
    .description('say whether a signed receipt is valid, who signed it and when; exit code 1 if it is not valid')
    .argument('<file>', 'the signed receipt')
    .option('--keys <file>', 'saved keys of the business (default: those that the issuing service publishes)')
    .action(async (file: string, { keys }: { readonly keys?: string }) => {
      isValid = await verify(file, keys, call);
    });
  try {
    await parser.parseAsync(call.args, { from: 'user' });
    return isValid ? 0 : 1;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    call.printError(printable(`Not checked. ${error instanceof Error ? error.message : 'The check failed.'}`));
    return 1;
  }
}

async function verify(file: string, keysFile: string | undefined, { now, print }: ReceiptCall): Promise<boolean> {
  const document = jsonIn(file);
  const keys = keysFile === undefined ? await publishedKeys(document, print) : jsonIn(keysFile);
  const verdict = await checkReceipt({ document, keys, now: now(), verify: verifyText });
  const at = (time: string) => new Date(time).toUTCString();
  for (const sentence of sentencesOf(verdict, { language: 'en', at })) print(printable(sentence));
  return verdict.kind === 'valid';
}

function jsonIn(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${file} is not JSON`, { cause: error });
  }
}

/** Whoever forges a document can name an address of their own in it, so the address is shown. */
async function publishedKeys(document: unknown, print: ReceiptCall['print']): Promise<unknown> {
  const address = keysAddressOf(document);
  // Then it is not a receipt either.
  if (address === undefined) return undefined;
  print(
    printable(`Keys from ${address}. Make sure that this is an address of the business or of its payment service.`),
  );
  try {
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(fetchWithinMs) });
    if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
    return await answer.json();
  } catch (error) {
    throw new Error('The keys could not be loaded: save them from that address, and name the file with --keys.', {
      cause: error,
    });
  }
}
