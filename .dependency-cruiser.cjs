/** The layers of the tree, as import rules. Each message says what to do instead. */
const workspaces = 'backend|device|hardware-sim';
module.exports = {
  forbidden: [
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
      from: { path: '^shared/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^shared/|/zod/|^(node:)?(crypto|zlib|fs|path)$' },
    },
    {
      name: 'shared-built-ins-only-off-the-browser-path',
      severity: 'error',
      comment: 'Contracts are bundled into browsers: keep Node built-ins to signing/, reader-line/ and files/.',
      from: { path: '^shared/', pathNot: '^shared/(signing|reader-line|files)/|\\.test\\.ts$' },
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
      comment: 'client/ is what integrators install, in Node or a browser: contracts of shared/ and nothing else.',
      from: { path: '^client/(?!build/)', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^client/|^shared/|/zod/' },
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
        'Only backend.ts chooses databases, gateways, nodes and platform. A domain folder takes a port (backend/database/database.ts, backend/gateways/gateway.ts, shared/ports.ts).',
      from: {
        path: '^backend/(?!backend\\.ts|main\\.ts|admin/|demo/|openapi/|build/|sandbox/|gateways/|nodes/|database/|platform/|config/)',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        path: '^backend/(gateways/(?!(gateway|adapter|unusable|module)\\.ts)|nodes/(?!(node|adapter|unusable|bolt11|address)\\.ts)|database/(sqlite|postgres|migrations)|platform/)',
      },
    },
    {
      name: 'domains-do-not-see-http',
      severity: 'error',
      comment: 'http → domain → ports. A domain folder answers values; only its routes.ts and problems.ts speak HTTP.',
      from: {
        path: '^backend/(?!http/|backend\\.ts|server\\.ts|module\\.ts|main\\.ts|admin/|openapi/|sandbox/)',
        pathNot: '(routes|problems)\\.ts$|\\.test\\.ts$',
      },
      to: { path: '^backend/http/|/(express|router)/' },
    },
    {
      name: 'modules-are-joined-in-compose',
      severity: 'error',
      comment:
        'A module never takes another one itself: compose.ts hands it what it needs as a port, and simulation, bench and product share that one place of wiring.',
      from: { path: '^(backend|test)/', pathNot: '^backend/compose\\.ts$' },
      to: { path: '^backend/[^/]+/module\\.ts$' },
    },
    {
      name: 'modules-receive-services',
      severity: 'error',
      comment:
        'A module makes the services of its own folder only, and receives those of others from compose.ts. The exceptions have no state and belong to no module.',
      from: { path: '^backend/(.+)/module\\.ts$' },
      to: {
        path: '^backend/',
        pathNot: '^backend/($1|jobs)/|^backend/(database/after-commit|events/store|gateway-accounts/secret-box)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
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
          '/module\\.ts$|^backend/(module|jobs/runner|config/settings|database/(database|after-commit)|events/(dispatcher|notifications)|gateway-accounts/settings-account|gateways/adapter|nodes/adapter|outbound/outbound|rates/source|notifications/mailer|staff/password)\\.ts$',
      },
    },
    {
      name: 'gateways-see-no-flow',
      severity: 'error',
      comment:
        'Gateways answer in the outcomes of gateways/gateway.ts, nodes in those of nodes/node.ts; the caller decides what follows from one.',
      from: { path: '^backend/(gateways|nodes|outbound)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^backend/(payments|refunds|staff|payment-links|terminals|businesses|audit|gateway-accounts)/' },
    },
    {
      name: 'sandbox-never-meets-its-adapter',
      severity: 'error',
      comment:
        'The sandbox and the adapter tested against it share no code: golden bytes from public sources arbitrate.',
      from: { path: '^backend/sandbox/' },
      to: { path: '^backend/(gateways|nodes|database|payments|refunds|staff)/' },
    },
    {
      name: 'adapter-never-meets-the-sandbox',
      severity: 'error',
      from: { path: '^backend/(?!sandbox/)', pathNot: '\\.test\\.ts$' },
      to: { path: '^backend/sandbox/' },
    },
    {
      name: 'renderer-sees-ipc-and-shared',
      severity: 'error',
      comment: 'The renderer and the preload are clients of the channel contract: no core, no readers, no Node.',
      from: { path: '^device/(renderer|preload)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^device/(core|readers|main)/|^backend/' },
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
