import { parseSync } from '@swc/core';

/** A function of a source file and its number of lines, without the lines of functions inside it. */
export type FunctionLength = { readonly name: string; readonly line: number; readonly ownLines: number };

type Node = Readonly<Record<string, unknown>>;
const kinds =
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassMethod|MethodProperty|Constructor)$/;
/** Functions of a line or two count as part of the function around them. */
const shortest = 3;

export function functionLengths(text: string, isTsx: boolean): FunctionLength[] {
  // Positions count bytes from the first token on, which excludes a first line for the shell.
  const source = `0;\n${text.replace(/^#!.*/, '')}`;
  const bytes = Buffer.from(source);
  const module = parseSync(source, { syntax: 'typescript', tsx: isTsx, target: 'esnext' });
  const lineAt = (position: number) =>
    bytes
      .subarray(0, position - module.span.start)
      .toString()
      .split('\n').length - 1;
  const found: FunctionLength[] = [];

  /** Finds the functions in a part of the tree; returns the number of lines of the outermost ones. */
  function visit(part: unknown, name: string): number {
    if (Array.isArray(part)) return part.reduce<number>((lines, each) => lines + visit(each, name), 0);
    if (typeof part !== 'object' || part === null) return 0;
    const node = part as Node;
    const ownName = nameOf(node) ?? name;
    const inner = Object.values(node).reduce<number>((lines, each) => lines + visit(each, ownName), 0);
    if (!kinds.test(String(node.type))) return inner;
    const span = (node.span ?? (node.function as Node | undefined)?.span) as { start: number; end: number };
    const line = lineAt(span.start);
    const lines = lineAt(span.end) - line + 1;
    found.push({ name: ownName, line, ownLines: lines - inner });
    return lines < shortest ? 0 : lines;
  }

  visit(module.body, '');
  return found;
}

function nameOf({ identifier, id, key }: Node): string | undefined {
  const named = (identifier ?? id ?? key) as { value?: unknown } | null | undefined;
  return typeof named?.value === 'string' ? named.value : undefined;
}
