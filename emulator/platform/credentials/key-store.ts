// Stores the platform's own keys, which are generated at the first start of a data directory and never change.
import type { IdSource } from '../../core/id-source.ts'
import type { SystemDb } from '../../database/system-db/system-db.ts'
import type { MigrationSet } from '../../database/system-db/system-schema.ts'
import { generateKeyMaterial, type KeyMaterial } from './signing-keys.ts'

export const CREDENTIAL_MIGRATIONS: MigrationSet = {
  layer: 'credentials',
  steps: [
    `
    create table key_material (
      only_row integer primary key check (only_row = 1),
      es256 text not null,
      ed25519 text not null,
      storage_secret text not null,
      realtime_secret text not null,
      local_secret text not null
    ) strict;
    `,
  ],
}

interface MaterialRow {
  readonly es256: string
  readonly ed25519: string
  readonly storage_secret: string
  readonly realtime_secret: string
  readonly local_secret: string
}

/** Returns the stored key material; generates it at the first start. */
export function loadKeyMaterial(db: SystemDb, ids: IdSource): KeyMaterial {
  const select = db.prepare<[], MaterialRow>('select * from key_material')
  const kept = select.get()
  if (kept !== undefined) return materialOf(kept)
  const fresh = generateKeyMaterial(ids)
  db.prepare<[string, string, string, string, string]>(
    `insert into key_material (only_row, es256, ed25519, storage_secret, realtime_secret, local_secret)
     values (1, ?, ?, ?, ?, ?)`,
  ).run(fresh.es256, fresh.ed25519, fresh.storageSecret, fresh.realtimeSecret, fresh.localSecret)
  return fresh
}

function materialOf(row: MaterialRow): KeyMaterial {
  return {
    es256: row.es256,
    ed25519: row.ed25519,
    storageSecret: row.storage_secret,
    realtimeSecret: row.realtime_secret,
    localSecret: row.local_secret,
  }
}
