import { generate } from 'selfsigned';

export type Certificate = { readonly privateKey: string; readonly certificate: string };

/** A certificate like those a node creates on its first start: self-signed, for its host names, valid 14 months. */
export async function selfSignedCertificate(now: number): Promise<Certificate> {
  const pem = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - 86_400_000),
    notAfterDate: new Date(now + 426 * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { privateKey: pem.private, certificate: pem.cert };
}
