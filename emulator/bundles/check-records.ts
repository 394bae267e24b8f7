// Checks the platform's database of an unpacked bundle before an emulator opens it. Some identifiers in it become file names, so
// that a changed one could name a file outside the data directory.
import { openSystemDb } from '../database/system-db/system-db.ts'
import { damaged } from './bundle-error.ts'

const FILE_IDS = `select version as id from objects
  union all select version from resumable_uploads
  union all select file_id from s3_parts`
// The platform's database has neither. A trigger could write identifiers after this check.
const PROGRAMS = `select name from sqlite_schema where type in ('trigger', 'view')`
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** @param database path of the unpacked database @throws {BundleError} `damaged_bundle` */
export function checkRecords(file: string, database: string): void {
  const db = openSystemDb({ file: database, migrations: [] })
  try {
    const check = db.prepare<[], { quick_check: string }>('pragma quick_check').get()
    if (check?.quick_check !== 'ok') throw damaged(file, 'has a damaged platform database')
    const program = db.prepare<[], { name: string }>(PROGRAMS).get()
    if (program !== undefined)
      throw damaged(file, `has a trigger or view ${JSON.stringify(program.name)} in its database`)
    const strange = db
      .prepare<[], { id: string }>(FILE_IDS)
      .all()
      .find(({ id }) => !UUID.test(id))
    if (strange !== undefined)
      throw damaged(file, `names a stored file ${JSON.stringify(strange.id)}, which is no id`)
  } finally {
    db.close()
  }
}
