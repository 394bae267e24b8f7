// Makes the cluster image: runs initdb and the cluster's SQL in name order, then packs the files into one. Run this script
// after a change of the SQL or the engine: `npm run build:image [path]`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { fuzzystrmatch } from '@electric-sql/pglite/contrib/fuzzystrmatch'
import { hstore } from '@electric-sql/pglite/contrib/hstore'
import { intarray } from '@electric-sql/pglite/contrib/intarray'
import { ltree } from '@electric-sql/pglite/contrib/ltree'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { tablefunc } from '@electric-sql/pglite/contrib/tablefunc'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { uuid_ossp } from '@electric-sql/pglite/contrib/uuid_ossp'
import {
  clusterImagePath,
  type ImageFile,
  writeClusterImage,
} from '../emulator/database/embedded/cluster/cluster-image.ts'
import { readCluster } from '../emulator/database/embedded/cluster/prepared-image.ts'
import { clusterSql, noteVersion } from '../emulator/database/tenant-schema/cluster-sql.ts'

const EXTENSIONS = {
  btree_gin,
  btree_gist,
  citext,
  fuzzystrmatch,
  hstore,
  intarray,
  ltree,
  pg_trgm,
  pgcrypto,
  tablefunc,
  unaccent,
  'uuid-ossp': uuid_ossp,
}
// Drops the template databases, which would take two thirds of the image. All data is in the database `postgres`.
const DROP_TEMPLATES = [
  'update pg_catalog.pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
  'vacuum freeze analyze',
  'checkpoint',
]

const TAR_BLOCK = 512

await build(process.argv[2] ?? clusterImagePath())

async function build(path: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-cluster-'))
  try {
    const engine = await PGlite.create({
      dataDir: folder,
      extensions: EXTENSIONS,
      initDbStartParams: ['--wal-segsize=1'],
    })
    for (const { name, text } of clusterSql('embedded')) await bake(engine, name, text)
    await engine.exec(noteVersion().text)
    for (const statement of DROP_TEMPLATES) await engine.exec(statement)
    await engine.close()
    writeClusterImage(path, { ...readCluster(folder), libraries: readLibraries() })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bake(engine: PGlite, name: string, text: string): Promise<void> {
  try {
    await engine.exec(text)
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

// Reads only the files that are needed to call the extensions' functions. The SQL scripts ran already with CREATE EXTENSION.
function readLibraries(): ImageFile[] {
  const bundles = dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')))
  return Object.keys(EXTENSIONS).flatMap((name) =>
    readTar(gunzipSync(readFileSync(join(bundles, `${name}.tar.gz`)))).filter(
      ({ path }) => path.endsWith('.so') || path.includes('/tsearch_data/'),
    ),
  )
}

function readTar(archive: Buffer): ImageFile[] {
  const files: ImageFile[] = []
  for (let at = 0; at + TAR_BLOCK <= archive.length && archive[at] !== 0; ) {
    const name = archive.toString('utf8', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8)
    const start = at + TAR_BLOCK
    if (!name.endsWith('/'))
      files.push({ path: name, bytes: archive.subarray(start, start + size) })
    at = start + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK
  }
  return files
}
