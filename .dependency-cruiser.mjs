// The layer diagram of docs/architecture.md as rules: each folder may import what its row lists, and nothing else of ours.
import { readFileSync } from 'node:fs'

const PAGE = readFileSync(new URL('docs/architecture.md', import.meta.url), 'utf8')

/** Rows of a table of the page: the name in the first column, and the names in the second. */
function rowsOf(table) {
  const [, text = ''] = PAGE.split(`<!-- rules: ${table} -->\n`)
  const [rows = ''] = text.split('\n\n')
  const namesOf = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  return rows
    .split('\n')
    .slice(2)
    .map((row) => row.split('|'))
    .map(([, name = '', others = '']) => [namesOf(name)[0], namesOf(others)])
}

const folders = Object.fromEntries(rowsOf('folders'))
const rooms = rowsOf('rooms').map(([room, siblings]) => {
  const [folder] = room.split('/')
  const above = folders[folder] ?? []
  return [room, [...above, ...siblings.map((sibling) => `${folder}/${sibling}`)]]
})
const layers = [...Object.entries(folders), ...rooms].map(([layer, below]) => [
  `emulator/${layer}`,
  below.map((one) => `emulator/${one}`),
])
layers.push(['client', []])

const quoted = (path) => path.replaceAll('/', '\\/')
const rules = layers.map(([layer, below]) => ({
  name: `layer-${layer.split('/').at(-1)}`,
  severity: 'error',
  comment: `${layer} may import only itself${below.length ? `, ${below.join(', ')}` : ''} and packages`,
  from: { path: `^${quoted(layer)}/` },
  to: {
    path: '^(emulator|client|main|renderer|test|fixtures|scripts)/',
    pathNot: `^(${[layer, ...below].map(quoted).join('|')})/`,
  },
}))

// The database room: everything outside `embedded/` and `postgres/` works with any engine. The two threads of the embedded
// engine share its protocol, its files and the pure parts only.
const EMBEDDED = '^emulator/database/embedded/'
const SERVER_ENGINE = '^emulator/database/postgres/'
const open = rowsOf('database').flatMap(([folder, files]) =>
  files.map((file) => `${folder}/${file}`),
)
const database = [
  {
    name: 'database-behind-its-face',
    severity: 'error',
    comment: 'docs/architecture.md, "The database room", names what other rooms import',
    from: { path: '^emulator/', pathNot: '^emulator/(assembly|database)/' },
    to: {
      path: '^emulator/database/[^/]+/',
      pathNot: `^emulator/database/(${open.map((file) => file.replaceAll('.', '\\.')).join('|')})`,
    },
  },
  {
    name: 'engine-behind-its-port',
    severity: 'error',
    comment:
      'only assembly names the embedded engine; all others use its interface (database/engine.ts)',
    from: { path: '^emulator/', pathNot: '^emulator/(assembly/|database/embedded/)' },
    to: { path: EMBEDDED },
  },
  {
    name: 'server-engine-behind-its-port',
    severity: 'error',
    comment:
      'only assembly names the server engine; all others use its interface (database/engine.ts)',
    from: { path: '^emulator/', pathNot: '^emulator/(assembly/|database/postgres/)' },
    to: { path: SERVER_ENGINE },
  },
  {
    name: 'main-thread-runs-no-worker-code',
    severity: 'error',
    from: { path: EMBEDDED, pathNot: `${EMBEDDED}worker/` },
    to: { path: `${EMBEDDED}worker/` },
  },
  {
    name: 'worker-runs-no-main-thread-code',
    severity: 'error',
    from: { path: `${EMBEDDED}worker/` },
    to: { path: `${EMBEDDED}(pglite-engine\\.ts$|queue/|host/|sessions/)` },
  },
]

// The desktop app: it knows the library as any program does, and Electron in two files only.
const main = [
  {
    name: 'layer-main',
    severity: 'error',
    comment: 'main may import only itself, the public library, the contract and core/defined.ts',
    from: { path: '^main/' },
    to: {
      path: '^(emulator|client|renderer|test|fixtures|scripts)/',
      pathNot: '^emulator/(index\\.ts$|contract/|core/defined\\.ts$)',
    },
  },
  {
    name: 'electron-behind-its-port',
    severity: 'error',
    comment: 'only the adapter and the preload script name Electron',
    from: { path: '^main/', pathNot: '^main/(electron|preload)\\.ts$' },
    to: { path: 'node_modules/electron/' },
  },
]

// The pages of the inspector: they know the emulator by its contract only, and each other in one direction.
const renderer = [
  {
    name: 'layer-renderer',
    severity: 'error',
    comment:
      'renderer may import only itself, emulator/contract, core/defined.ts, the list of secrets, the type of the desktop bridge and packages',
    from: { path: '^renderer/' },
    to: {
      path: '^(emulator|client|main|test|fixtures|scripts)/',
      pathNot:
        '^(emulator/contract/|emulator/core/defined\\.ts$|emulator/platform/secrets/secret-names\\.ts$|main/bridge\\.ts$)',
    },
  },
  {
    name: 'renderer-runs-in-a-page',
    severity: 'error',
    comment: 'renderer/ may not import modules of Node',
    from: { path: '^renderer/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'renderer-kit-knows-no-product',
    severity: 'error',
    comment: 'ui/ is a kit: no data, no fetch, no screens',
    from: { path: '^renderer/ui/' },
    to: { path: '^(renderer/(?!ui/)|emulator/)' },
  },
  {
    name: 'renderer-parts-know-no-screen',
    severity: 'error',
    comment: 'parts/ may import ui/ and api/',
    from: { path: '^renderer/parts/' },
    to: { path: '^renderer/(?!ui/|api/|parts/)' },
  },
  {
    name: 'renderer-api-shows-nothing',
    severity: 'error',
    comment: 'api/ may import nothing else of the pages',
    from: { path: '^renderer/api/' },
    to: { path: '^renderer/(?!api/)' },
  },
  {
    name: 'renderer-features-stand-alone',
    severity: 'error',
    comment: 'a screen may import ui/, parts/ and api/, never another screen or the shell',
    from: { path: '^renderer/features/([^/]+)/' },
    to: { path: '^renderer/(?!ui/|api/|parts/)', pathNot: '^renderer/features/$1/' },
  },
]

export default {
  forbidden: [
    ...rules,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...database,
    {
      name: 'layer-testing',
      severity: 'error',
      comment:
        'what helps tests knows the platform by its routes only, so that it works from any process',
      from: { path: '^emulator/assembly/testing/', pathNot: '^emulator/assembly/testing/vitest' },
      to: { path: '^(emulator|client)/', pathNot: '^emulator/(assembly/testing|core|contract)/' },
    },
    {
      name: 'doors-are-entries',
      severity: 'error',
      comment: 'no command and no other entry loads the plugins and fixtures for other tools',
      from: { pathNot: '^(emulator/assembly/doors|test)/' },
      to: { path: '^emulator/assembly/doors/' },
    },
    {
      name: 'doors-do-not-know-each-other',
      severity: 'error',
      from: { path: '^emulator/assembly/doors/([^/]+)/' },
      to: { path: '^emulator/assembly/doors/[^/]+/', pathNot: '^emulator/assembly/doors/$1/' },
    },
    {
      name: 'only-the-library-imports-testing',
      severity: 'error',
      from: {
        path: '^emulator/',
        pathNot:
          '^emulator/(assembly/(testing|doors)/|assembly/library/(create-emulator|open-bundle)\\.ts$|index\\.ts$)',
      },
      to: { path: '^emulator/assembly/testing/' },
    },
    {
      name: 'only-tests-import-the-cli',
      severity: 'error',
      from: { pathNot: '^(emulator/cli/|test/|scripts/build-reference)' },
      to: { path: '^emulator/cli/' },
    },
    {
      name: 'commands-load-later',
      severity: 'error',
      comment:
        'a file of options imports what its command runs with `await import()`, so that other commands start fast',
      from: { path: '^emulator/cli/commands/([^/]+)/\\1\\.ts$' },
      to: {
        path: '^emulator/cli/commands/[^/]+/(run|serve|write)-',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'telemetry-loads-later',
      severity: 'error',
      comment: 'a start without --otlp loads no code of telemetry',
      from: { path: '^emulator/', pathNot: '^emulator/insight/telemetry/' },
      to: {
        path: '^(emulator/insight/telemetry/|node_modules/@opentelemetry/)',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'only-tests-import-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'wire-tests-speak-the-wire',
      severity: 'error',
      comment:
        'test/wire and test/browser may import the public entry, the types of the wire, their own support and packages',
      from: { path: '^test/(wire|browser)/' },
      to: { path: '^emulator/', pathNot: '^emulator/(index\\.ts$|contract/)' },
    },
    {
      name: 'client-runs-in-a-page',
      severity: 'error',
      comment: 'client/ may not import modules of Node',
      from: { path: '^client/' },
      to: { dependencyTypes: ['core'] },
    },
    ...renderer,
    ...main,
    {
      name: 'packages-are-declared',
      severity: 'error',
      comment:
        'what scripts/build.ts bundles is a development package: users install only what stays outside of dist',
      from: { path: '^(emulator|client)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'not-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Files that only a browser loads, beside a bundle that exists only while the test runs; and an application that is built
    // outside the package.
    exclude: { path: '^test/(browser/page|sample-app)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.emulator.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
    },
  },
}
