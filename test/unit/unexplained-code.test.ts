// Every catch that ignores its error, and every cast that the compiler cannot check, is listed here with its reason. A new one
// needs an entry. Prefer code that handles only the expected error, or that parses the value with a schema.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const FOLDERS = ['emulator', 'client', 'main', 'renderer', 'scripts']

type Reasons = Readonly<Record<string, readonly string[]>>

const BARE_CATCHES: Reasons = {
  'The text comes from a caller, and only one error is possible: it is malformed.': [
    'client/auth/session.ts',
    'client/storage-token.ts',
    'emulator/core/json.ts',
    'emulator/core/percent-decoded.ts',
    'emulator/core/request-text.ts',
    'emulator/services/data/request/payload.ts',
    'emulator/services/data/request/query-string.ts',
    'emulator/services/realtime/app.ts',
    'emulator/services/storage/routes/router.ts',
    'emulator/services/storage/s3/operations/object-operations.ts',
    'emulator/platform/secrets/bodies/mask-body.ts',
    'emulator/platform/secrets/mask-text.ts',
    'emulator/workflow/traffic/record/body-copy.ts',
    'emulator/workflow/traffic/record/frame-reader.ts',
    'emulator/insight/workbench/tables/import/import-rows.ts',
    'renderer/api/client.ts',
    'renderer/api/realtime-frames.ts',
    'renderer/features/requests/request-exchange.tsx',
    'renderer/features/tables/filters.ts',
    'renderer/parts/cell-kind.ts',
    'renderer/parts/identity-text.ts',
    'renderer/parts/requests/request-facts.ts',
    'renderer/parts/row-key.ts',
    'renderer/parts/structure-sides.ts',
    'renderer/parts/test-code.ts',
    'renderer/ui/form-values.ts',
  ],
  'The text was sealed or parsed by another program, whose every failure means "not usable".': [
    'emulator/services/auth/sessions/create-sessions.ts',
    'emulator/database/sql-parser.ts',
    'emulator/insight/explain/policies/expression-node.ts',
    'emulator/insight/workbench/plans/advise.ts',
    'emulator/insight/workbench/plans/scans.ts',
    'emulator/insight/workbench/plans/try-advice.ts',
    'emulator/workflow/migrations/apply/step-failure.ts',
    'emulator/workflow/migrations/steps/compare-steps.ts',
  ],
  'A cache: the next start or call makes it again, and its loss costs time alone.': [
    'emulator/assembly/engine/application-image.ts',
    'emulator/assembly/open-storage.ts',
    'emulator/cli/commands/start/engine-code-later.ts',
    'emulator/cli/commands/start/engine-code-later.ts',
    'emulator/cli/commands/start/engine-code-later.ts',
    'emulator/database/embedded/engine-code.ts',
    'emulator/database/embedded/engine-code.ts',
    'emulator/database/embedded/engine-code.ts',
    'renderer/features/sql/history.ts',
    'renderer/features/sql/tabs.ts',
    'renderer/features/sql/tabs.ts',
    'renderer/ui/remembered.ts',
  ],
  'A comfort of the user that must not stop the work: the list of emulators, a log, a note for git, preferences.':
    [
      'emulator/cli/machine-list.ts',
      'emulator/cli/machine-list.ts',
      'emulator/database/data-dir/data-dir-lock.ts',
      'emulator/database/postgres/server/native/server-log.ts',
      'emulator/database/postgres/server/native/server-log.ts',
      'main/preferences.ts',
      'main/preferences.ts',
      'main/preferences.ts',
    ],
  'The question is whether the system can do it, and every failure answers no.': [
    'client/environment.ts',
    'emulator/cli/commands/list.ts',
    'emulator/cli/commands/dev/rebuild-key.ts',
    'emulator/cli/commands/exec/run-child.ts',
    'emulator/database/data-dir/data-dir-lock.ts',
    'emulator/database/data-dir/temporary-dir.ts',
    'emulator/database/embedded/host/dead-memory.ts',
    'emulator/database/embedded/worker/messages.ts',
    'emulator/database/postgres/server/native/find-native-server.ts',
    'emulator/database/postgres/server/native/find-native-server.ts',
    'emulator/database/postgres/server/native/find-native-server.ts',
    'emulator/database/postgres/server/native/server-process.ts',
    'emulator/database/postgres/server/native/server-process.ts',
    'emulator/database/postgres/server/native/server-process.ts',
    'emulator/database/postgres/server/native/server-account.ts',
    'emulator/workflow/fixtures/read/fixture-files.ts',
    'emulator/services/storage/blobs/kept-blobs.ts',
  ],
  'The other side is gone already: a process, a client or a lock that another process removed.': [
    'emulator/cli/commands/exec/process-tree.ts',
    'emulator/core/request-text.ts',
    'emulator/database/data-dir/data-dir-lock.ts',
    'emulator/database/postgres/server/native/server-process.ts',
    'emulator/insight/journal/recording/kept-bytes.ts',
  ],
  'Another place meets the same failure and reports it, or the work is tried again.': [
    'client/auth/refresh.ts',
    'emulator/database/embedded/pglite-engine.ts',
    'emulator/database/postgres/changes/activity-watch.ts',
    'emulator/database/postgres/changes/server-changes.ts',
    'emulator/workflow/migrations/drift/step-structures.ts',
    'renderer/api/live-reader.ts',
    'renderer/api/server-state.ts',
    'renderer/ui/copy-button.tsx',
  ],
}

const DOUBLE_CASTS: Reasons = {
  'PGlite and node-postgres declare less than their objects have. Self-tests at start and tests of the log-in prove it.':
    [
      'emulator/database/embedded/worker/boot/engine-files.ts',
      'emulator/database/embedded/worker/boot/engine-files.ts',
      'emulator/database/embedded/worker/boot/engine-files.ts',
      'emulator/database/embedded/worker/boot/engine-files.ts',
      'emulator/database/embedded/worker/boot/engine-files.ts',
      'emulator/database/embedded/worker/boot/open-backend.ts',
      'emulator/database/embedded/worker/boot/open-backend.ts',
      'emulator/database/embedded/worker/states/changed-files.ts',
      'emulator/database/embedded/worker/states/changed-files.ts',
      'emulator/database/postgres/connections/log-in.ts',
      'emulator/database/postgres/connections/log-in.ts',
    ],
  'A branded or mapped type that TypeScript cannot derive from the value.': [
    'emulator/workflow/bundles/state/record-tables.ts',
    'emulator/services/data/request/scanner.ts',
    'emulator/database/differ/objects.ts',
    'emulator/workflow/migrations/redo/undo.ts',
    'emulator/database/sql.ts',
    'emulator/database/sql.ts',
    'emulator/insight/workbench/tables/diff-structures.ts',
    'renderer/ui/form.tsx',
  ],
  'The value comes from a query or a comment of this program in the same database.': [
    'emulator/database/template/stock/image-schemas.ts',
    'emulator/database/template/structure.ts',
    'emulator/workflow/migrations/redo/kept-rows.ts',
    'emulator/insight/visibility/relations.ts',
  ],
  'A schema has checked every member that is used. Other members are passed on as they are.': [
    'emulator/workflow/traffic/har/read-har.ts',
  ],
}

/** Returns the files that contain the pattern, once for each match. */
function filesWith(pattern: RegExp): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .flatMap((file) => Array.from(readFileSync(file, 'utf8').matchAll(pattern), () => file)),
  ).toSorted()
}

it('every catch that ignores its error is listed with a reason', () => {
  expect(filesWith(/catch \{/g)).toEqual(Object.values(BARE_CATCHES).flat().toSorted())
})

it('every cast through unknown is listed with a reason', () => {
  expect(filesWith(/as unknown as/g)).toEqual(Object.values(DOUBLE_CASTS).flat().toSorted())
})
