/** The layers of the tree, as import rules. Each message says what to do instead. */
const workspaces = 'backend|device|hardware-sim';

/** The groups of backend/, lowest first: each imports from those before it only. */
const groups = ['foundation', 'people', 'gateways', 'money', 'bitcoin', 'channels', 'messaging', 'web'];
const downwards = groups.map((group, index) => ({
  name: `backend-${group}-imports-downwards`,
  severity: 'error',
  comment: `backend/${group}/ stands on ${groups.slice(0, index).join(', ') || 'shared/ alone'}. What it needs from above, compose.ts hands it as a port.`,
  from: { path: `^backend/${group}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^backend/', pathNot: `^backend/(${groups.slice(0, index + 1).join('|')})/` },
}));
module.exports = {
  forbidden: [
    ...downwards,
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle hides who owns a rule: move the shared part down.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'unresolved',
      severity: 'error',
      comment: 'An import nothing resolves.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^electron$|^virtual:' },
    },
    {
      name: 'shared-is-pure',
      severity: 'error',
      comment:
        'shared/ holds contracts and rules every side agrees on: only zod (and, in signing/ and reader-line/, pure Node built-ins; in files/, the file system).',
      from: { path: '^shared/(?!client/)', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^shared/(?!client/)|/zod/|^(node:)?(crypto|zlib|fs|path)$' },
    },
    {
      name: 'shared-built-ins-only-off-the-browser-path',
      severity: 'error',
      comment: 'Contracts are bundled into browsers: keep Node built-ins to signing/, reader-line/ and files/.',
      from: { path: '^shared/(?!client/)', pathNot: '^shared/(signing|reader-line|files)/|\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sides-meet-on-the-wire',
      severity: 'error',
      comment:
        'backend, device and hardware-sim never import each other: they meet on the wire, through contracts in shared/.',
      from: { path: `^(${workspaces})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^(${workspaces})/`, pathNot: '^$1/' },
    },
    {
      name: 'client-is-for-other-people',
      severity: 'error',
      comment:
        'shared/client/ is what integrators install, in Node or a browser: contracts of shared/ and nothing else.',
      from: { path: '^shared/client/(?!build/)', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^shared/|/zod/' },
    },
    {
      name: 'nothing-imports-test',
      severity: 'error',
      comment: 'test/ sees everything; nothing sees test/.',
      from: { pathNot: '^test/|\\.test\\.tsx?$' },
      to: { path: '^test/' },
    },
    {
      name: 'domains-see-ports-only',
      severity: 'error',
      comment:
        'Only backend.ts chooses databases, gateways, nodes and platform. A domain folder takes a port (backend/foundation/database/database.ts, backend/gateways/gateway.ts, shared/ports.ts).',
      from: {
        path: '^backend/(?!backend\\.ts|main\\.ts|programs/|config/|gateways/(?!accounts/)|bitcoin/nodes/|foundation/(database|platform)/)',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^backend/(gateways/(?!accounts/|(gateway|adapter|unusable|module|outcome-polling)\\.ts)|bitcoin/nodes/(?!(node|adapter|unusable|bolt11|address)\\.ts)|foundation/(database/(sqlite|postgres|migrations)|platform/))',
      },
    },
    {
      name: 'domains-do-not-see-http',
      severity: 'error',
      comment: 'http → domain → ports. A domain folder answers values; only its routes.ts and problems.ts speak HTTP.',
      from: {
        path: '^backend/(?!foundation/(http/|module\\.ts)|backend\\.ts|server\\.ts|main\\.ts|programs/)',
        pathNot: '(routes|problems)\\.ts$|\\.test\\.ts$',
      },
      to: { path: '^backend/foundation/http/|/(express|router)/' },
    },
    {
      name: 'modules-are-joined-in-compose',
      severity: 'error',
      comment:
        'A module never takes another one itself: compose.ts hands it what it needs as a port, and simulation, bench and product share that one place of wiring.',
      from: { path: '^(backend|test)/', pathNot: '^backend/compose\\.ts$' },
      to: { path: '^backend/.+/module\\.ts$', pathNot: '^backend/foundation/module\\.ts$' },
    },
    {
      name: 'modules-receive-services',
      severity: 'error',
      comment:
        'A module makes the services of its own folder only, and receives those of others from compose.ts. The exceptions have no state and belong to no module.',
      from: { path: '^backend/(.+)/module\\.ts$', pathNot: '^backend/foundation/module\\.ts$' },
      to: {
        path: '^backend/',
        pathNot: '^backend/($1|foundation/jobs)/|^backend/foundation/(database/after-commit|events/store)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sealed-with-the-module',
      severity: 'error',
      comment:
        'What is stored sealed must be known to the rotation of SECRETS_KEY: take a box of the module secrets, which compose.ts hands out (foundation/secrets/service.ts).',
      from: { path: '^backend/(?!foundation/secrets/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^backend/foundation/secrets/secret-box\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'compose-lists-modules',
      severity: 'error',
      comment:
        'compose.ts joins modules over ports. What an implementation is, backend.ts says; what a rule is, its folder.',
      from: { path: '^backend/compose\\.ts$' },
      to: {
        path: '^backend/',
        pathNot:
          '/module\\.ts$|^backend/(package\\.json|ports\\.ts|foundation/(mail|jobs/(runner|leases)|database/after-commit)\\.ts)$',
      },
    },
    {
      name: 'nodes-see-no-flow',
      severity: 'error',
      comment: 'Nodes answer in the outcomes of bitcoin/nodes/node.ts; the caller decides what follows from one.',
      from: { path: '^backend/bitcoin/nodes/', pathNot: '\\.test\\.ts$' },
      to: { path: '^backend/', pathNot: '^backend/(foundation|bitcoin/nodes)/' },
    },
    {
      name: 'sandbox-never-meets-its-adapter',
      severity: 'error',
      comment:
        'The sandbox and the adapter tested against it share no code: golden bytes from public sources arbitrate.',
      from: { path: '^backend/programs/sandbox/' },
      to: { path: '^backend/(?!programs/sandbox/|foundation/platform/)' },
    },
    {
      name: 'adapter-never-meets-the-sandbox',
      severity: 'error',
      from: { path: '^backend/(?!programs/sandbox/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^backend/programs/sandbox/' },
    },
    {
      name: 'renderer-sees-ipc-and-shared',
      severity: 'error',
      comment: 'The renderer and the preload are clients of the channel contract: no core, no readers, no Node.',
      from: { path: '^device/(renderer|preload)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^device/(core|readers|main)/|^backend/' },
    },
    {
      name: 'portal-is-a-client',
      severity: 'error',
      comment: 'The portal runs in a browser: it sees shared/ and packages, and reaches the backend over HTTP only.',
      from: { path: '^backend/web/portal/app/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(backend|device|hardware-sim|test)/', pathNot: '^backend/web/portal/app/' },
    },
    {
      name: 'portal-pages-are-apart',
      severity: 'error',
      comment: 'What the shell and several pages need is in components/; a page is loaded when it is opened.',
      from: { path: '^backend/web/portal/app/(?!pages/)' },
      to: { path: '^backend/web/portal/app/pages/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'portal-runs-in-browsers-only',
      severity: 'error',
      comment: 'What serves the portal does not run it.',
      from: { path: '^backend/(?!web/portal/app/)' },
      to: { path: '^backend/web/portal/app/' },
    },
    {
      name: 'electron-only-in-its-host',
      severity: 'error',
      from: { pathNot: '^device/(main/electron|preload)/|^test/' },
      to: { path: '(^|/)electron($|/)' },
    },
    {
      name: 'core-has-no-host',
      severity: 'error',
      comment: 'device/core runs in Electron and in the browser host alike.',
      from: { path: '^device/(core|readers|ipc)/' },
      to: { path: '^device/(main|preload|renderer)/' },
    },
  ],
  options: {
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|out|node_modules/(?!zod))/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
