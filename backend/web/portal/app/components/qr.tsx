import { lazy, Suspense } from 'react';

const QrDrawing = lazy(async () => ({ default: (await import('./qr-drawing.tsx')).QrDrawing }));

/** A code for a camera: dark on white in both themes, so that it can be read. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Suspense fallback={<div className="qr" aria-busy="true" />}>
      <QrDrawing text={text} label={label} />
    </Suspense>
  );
}
