// Connects the list of coming expiries to the tenants' tables, the signing keys and the records of uploads.

import { epochMillis } from '../core/time.ts'
import type { SystemDb } from '../database/system-db/system-db.ts'
import { createExpiries, type Expiries, type Expiring } from '../insight/project-tools/expiries.ts'
import type { AuthDeps } from '../services/auth/deps.ts'
import type { Foundation } from './open-foundation.ts'

export function openExpiries(
  { clock, db, issued, stores, writes }: Foundation,
  { tables }: Pick<AuthDeps, 'tables'>,
): Expiries {
  const { projects } = stores
  const { read } = tables
  return createExpiries({ clock, read, issued, projects, writes, uploads: uploadsIn(db) })
}

const MAX_UPLOADS = 500

function uploadsIn(db: Pick<SystemDb, 'prepare'>): () => readonly Expiring[] {
  const unfinished = db.prepare<
    [number],
    { schema_name: string; bucket_id: string; object_key: string; expires_at: number }
  >(
    `select b.schema_name, u.bucket_id, u.object_key, u.expires_at
     from resumable_uploads u join buckets b on b.id = u.bucket_id
     where u.is_finished = 0 order by u.expires_at limit ?`,
  )
  return () =>
    unfinished.all(MAX_UPLOADS).map(({ schema_name, bucket_id, object_key, expires_at }) => ({
      kind: 'resumable_upload',
      at: epochMillis(expires_at),
      schema_name,
      subject: null,
      detail: `${bucket_id}/${object_key}`,
    }))
}
