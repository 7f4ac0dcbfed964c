import { readFileSync } from 'node:fs';
import { inOneLine } from '@florin/shared/command-line.ts';
import { customerUrlProblem } from '@florin/shared/contracts/customer-url.ts';
import { printable } from '@florin/shared/printable.ts';
import { documentIn } from '@florin/shared/receipts/document.ts';
import { addressesFor, checkReceipt, type ReceiptVerdict } from '@florin/shared/receipts/verdict.ts';
import { sentencesOf } from '@florin/shared/receipts/words.ts';
import { verifyText } from '@florin/shared/signing/ed25519.ts';
import { CommanderError } from 'commander';
import { type Command, Command as Parser } from '../../foundation/platform/command-line.ts';

/** The arguments and streams of a command line. */
export type ReceiptCall = {
  readonly args: readonly string[];
  readonly now: () => number;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
};

const fetchWithinMs = 20_000;

/** What each verdict ends with; README.md of shared/receipts lists them. */
const exitCodes = {
  valid: 0,
  superseded: 3,
  issuer_not_confirmed: 4,
  valid_then: 5,
  not_keys: 6,
  not_a_receipt: 1,
  no_such_business: 1,
  other_business: 1,
  unknown_key: 1,
  key_not_in_use: 1,
  altered: 1,
  from_the_future: 1,
} as const satisfies Record<ReceiptVerdict['kind'], number>;

const codesHelp = `
Exit codes: 0 valid: the issuer is known, and the receipt has not changed since (with --offline: is valid as of its time);
1 not valid; 2 invalid command line; 3 superseded: the receipt has changed since, such as by a void or refund; 4 signed, but
the issuer is not confirmed; 5 valid as of its time, but the service did not say whether it has changed since; 6 not checked.`;

type Options = { readonly issuer?: string; readonly keys?: string; readonly offline?: true };

/** Runs one command and returns its exit code. */
export async function runReceipt(call: ReceiptCall): Promise<number> {
  let exitCode = 0;
  const parser = new Parser('npm run receipt --')
    .exitOverride()
    .description('Checks signed receipts, which the page of a receipt offers as files.');
  parser.configureOutput({
    writeOut: text => call.print(text.trimEnd()),
    writeErr: text => call.printError(text.trimEnd()),
  });
  inOneLine(parser);
  const command: Command = parser
    .command('verify')
    .description('say whether a signed receipt is valid, who signed it and when, and whether it has changed since')
    .argument('<file>', 'the signed receipt')
    .option('--issuer <url>', 'the address of the payment service, as you know it and not from the receipt')
    .option('--keys <file>', 'saved keys of the business, instead of those that the service publishes')
    .option('--offline', 'ask no service; needs --keys')
    .addHelpText('after', codesHelp)
    .action(async (file: string, options: Options) => {
      const problem = problemOf(options);
      if (problem !== undefined) command.error(`error: ${problem}`);
      exitCode = await verify(file, options, call);
    });
  try {
    await parser.parseAsync(call.args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    call.printError(printable(`Not checked. ${error instanceof Error ? error.message : 'The check failed.'}`));
    return exitCodes.not_keys;
  }
}

function problemOf({ issuer, keys, offline }: Options): string | undefined {
  if (offline && (keys === undefined || issuer !== undefined)) return '--offline needs --keys, and no --issuer';
  const problem = issuer === undefined ? undefined : customerUrlProblem(issuer, { allowLoopback: true });
  return problem === undefined ? undefined : `--issuer: ${problem}`;
}

async function verify(file: string, { issuer, keys, offline }: Options, { now, print }: ReceiptCall): Promise<number> {
  const document = jsonIn(file, documentIn);
  const addresses = addressesFor(document, issuer);
  const verdict = await checkReceipt({
    document,
    keys: keys === undefined ? await publishedKeys(addresses?.keys) : jsonIn(keys),
    isIssuerKnown: keys !== undefined || issuer !== undefined,
    readCurrent: offline ? undefined : () => currentAt(addresses?.current, print),
    now: now(),
    verify: verifyText,
  });
  const at = (time: string) => new Date(time).toUTCString();
  for (const sentence of sentencesOf(verdict, { language: 'en', at })) print(printable(sentence));
  return verdict.kind === 'valid_then' && offline ? exitCodes.valid : exitCodes[verdict.kind];
}

function jsonIn(file: string, parse: (text: string) => unknown = JSON.parse): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON`, { cause: error });
  }
}

/** Null if the service has no such business. */
async function publishedKeys(address: string | undefined): Promise<unknown> {
  // Then it is not a receipt either.
  if (address === undefined) return undefined;
  try {
    const answer = await ask(address);
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return await answer.json();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The keys could not be loaded from ${address} (${why}): name saved ones with --keys.`, {
      cause: error,
    });
  }
}

/** The receipt as the service has it now; undefined, with a line that says so, if it does not answer. */
async function currentAt(address: string | undefined, print: ReceiptCall['print']): Promise<unknown> {
  if (address === undefined) return undefined;
  const current = await jsonAt(address);
  if (current === undefined) print(printable(`${address} did not answer with the receipt as it is now.`));
  return current;
}

async function jsonAt(address: string): Promise<unknown> {
  try {
    const answer = await ask(address);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

const ask = (address: string) => fetch(address, { redirect: 'error', signal: AbortSignal.timeout(fetchWithinMs) });
