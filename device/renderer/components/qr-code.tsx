import encodeQr from 'qr';
import { useMemo } from 'react';

const quietModules = 2;

/** A code for the customer's camera, dark on light in every colour scheme, so that cameras can read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className="qr-code-light" d={`M0 0h${size}v${size}H0z`} />
      <path className="qr-code-dark" d={path} />
    </svg>
  );
}

function drawn(text: string): { size: number; path: string } {
  const rows = encodeQr(text, 'raw', { ecc: 'low', border: quietModules });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: path.join('') };
}
