import type { ShippedPackage } from './packages.ts';

/**
 * A CycloneDX bill of materials in JSON. It follows from the packages alone, with no time and no serial number, so that
 * two builds of the same sources have the same one.
 */
export function billOfMaterials(
  product: { readonly name: string; readonly version: string },
  packages: readonly ShippedPackage[],
): string {
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': product.name, ...product } },
    components: packages.map(component),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component({ name, version, license }: ShippedPackage) {
  const [, group, own = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: own,
    version,
    licenses: [{ expression: license }],
    purl,
  };
}
