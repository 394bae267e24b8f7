// Writes the platform's state into a folder as data: records as JSON, projects as statements and rows, and files of buckets. No
// request may be running.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { SchemaName } from '../../core/names.ts'
import { plainPath } from '../../core/plain-paths.ts'
import { createRowReader, type RowReader } from '../../database/row-reader.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { dumpProject } from '../../workflow/bundles/state/dump-project.ts'
import { dumpRecords } from '../../workflow/bundles/state/records.ts'
import type { Foundation } from '../open-foundation.ts'
import type { StateFolder } from '../snapshots/snapshot-folder.ts'
import { PROJECT_ENDING, PROJECTS, RECORDS } from './state-files.ts'

/** Programs at the Postgres port can write while a project is read. It is read again then. */
const READINGS = 3

/** @throws {InspectorError} `busy` @throws {SqlError} */
export async function dumpState(foundation: Foundation, into: StateFolder): Promise<void> {
  const { db, engine, storage, stores } = foundation
  const projects = join(into.path, PROJECTS)
  mkdirSync(projects, { mode: 0o700 })
  writeFileSync(join(into.path, RECORDS), dumpRecords(db), { mode: 0o600 })
  storage.kept.copyTo(into.blobs, storage.blobIds())
  const reader = createRowReader(engine)
  const { listInState } = stores.projects
  for (const { schemaName, slug } of [...listInState('active'), ...listInState('deleted')])
    await writeProject(foundation, reader, schemaName, plainPath(projects, slug + PROJECT_ENDING))
}

async function writeProject(
  { engine, writes }: Pick<Foundation, 'engine' | 'writes'>,
  reader: RowReader,
  schemaName: SchemaName,
  path: string,
): Promise<void> {
  for (let reading = 0; reading < READINGS; reading += 1) {
    const before = writes.of(schemaName)
    const file = openSync(path, 'w', 0o600)
    try {
      for await (const line of dumpProject({ engine, reader }, schemaName))
        writeSync(file, `${JSON.stringify(line)}\n`)
    } finally {
      closeSync(file)
    }
    if (before !== undefined && writes.of(schemaName) === before) return
  }
  throw new InspectorError('busy', `A program writes to ${schemaName} all the time.`, {
    hint: 'Nothing was changed. End its transactions, and try again.',
  })
}
