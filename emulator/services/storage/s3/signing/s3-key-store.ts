// Access keys for S3 clients, created per project. SigV4 needs the secret to verify signatures, so the platform's own database
// stores the secret itself. The API returns a secret only when its key is created.
import type { Clock } from '../../../../core/clock.ts'
import type { IdSource } from '../../../../core/id-source.ts'
import { type SchemaName, trusted } from '../../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../../core/time.ts'
import type { SystemDb } from '../../../../database/system-db/system-db.ts'

export interface S3Key {
  readonly accessKeyId: string
  readonly secret: string
  readonly schemaName: SchemaName
  readonly createdAt: EpochMillis
}

export interface S3KeyStore {
  mint(schemaName: SchemaName): S3Key
  find(accessKeyId: string): S3Key | undefined
  /** Lists the records from newest to oldest. */
  list(schemaName: SchemaName): readonly S3Key[]
  /** Returns false when the project does not have this key. */
  revoke(schemaName: SchemaName, accessKeyId: string): boolean
  eraseProject(schemaName: SchemaName): void
}

interface KeyRow {
  readonly access_key_id: string
  readonly secret: string
  readonly schema_name: string
  readonly created_at: number
}

export function createS3KeyStore(
  db: SystemDb,
  { clock, ids }: { readonly clock: Clock; readonly ids: IdSource },
): S3KeyStore {
  const insert = db.prepare<[string, string, string, number]>(
    'insert into s3_keys (access_key_id, secret, schema_name, created_at) values (?, ?, ?, ?)',
  )
  const byId = db.prepare<[string], KeyRow>('select * from s3_keys where access_key_id = ?')
  const ofSchema = db.prepare<[string], KeyRow>(
    'select * from s3_keys where schema_name = ? order by created_at desc, rowid desc',
  )
  const remove = db.prepare<[string, string]>(
    'delete from s3_keys where schema_name = ? and access_key_id = ?',
  )
  const erase = db.prepare<[string]>('delete from s3_keys where schema_name = ?')
  return {
    mint: (schemaName) => {
      const key: S3Key = {
        accessKeyId: ids.id('s3').toUpperCase(),
        secret: ids.secret(''),
        schemaName,
        createdAt: clock.now(),
      }
      insert.run(key.accessKeyId, key.secret, schemaName, key.createdAt)
      return key
    },
    find: (accessKeyId) => {
      const row = byId.get(accessKeyId)
      return row && keyOf(row)
    },
    list: (schemaName) => ofSchema.all(schemaName).map(keyOf),
    revoke: (schemaName, accessKeyId) => remove.run(schemaName, accessKeyId) > 0,
    eraseProject: (schemaName) => erase.run(schemaName),
  }
}

function keyOf(row: KeyRow): S3Key {
  return {
    accessKeyId: row.access_key_id,
    secret: row.secret,
    schemaName: trusted.schemaName(row.schema_name),
    createdAt: epochMillis(row.created_at),
  }
}
