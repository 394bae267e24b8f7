// Stores dashboard accounts, the owners of groups and projects (docs/wire/platform.md#accounts).
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { type OwnerId, trusted } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'

export interface Owner {
  readonly id: OwnerId
  /** In lower case, because addresses are compared ignoring case. */
  readonly email: string
  readonly passwordHash: string
  readonly createdAt: EpochMillis
}

export interface OwnerStore {
  findOwner(id: OwnerId): Owner | undefined
  findOwnerByEmail(email: string): Owner | undefined
  /** Returns `undefined` when the address already has an account. */
  addOwner(email: string, passwordHash: string): Owner | undefined
  setPasswordHash(id: OwnerId, passwordHash: string): void
  /** Deletes the account. Does nothing while the account owns a project or group. */
  eraseOwner(id: OwnerId): void
}

interface OwnerRow {
  readonly id: string
  readonly email: string
  readonly password_hash: string
  readonly created_at: number
}

export function createOwnerStore(
  db: SystemDb,
  { ids, clock }: { readonly ids: IdSource; readonly clock: Clock },
): OwnerStore {
  const byId = db.prepare<[string], OwnerRow>('select * from owners where id = ?')
  const byEmail = db.prepare<[string], OwnerRow>('select * from owners where email = ?')
  const insert = db.prepare<[string, string, string, number]>(
    `insert into owners (id, email, password_hash, created_at) values (?, ?, ?, ?)
     on conflict (email) do nothing`,
  )
  const setHash = db.prepare<[string, string]>('update owners set password_hash = ? where id = ?')
  const erase = db.prepare<[string, string, string]>(
    `delete from owners where id = ?
       and not exists (select 1 from projects where owner_id = ?)
       and not exists (select 1 from groups where owner_id = ?)`,
  )
  const found = (row: OwnerRow | undefined) => (row === undefined ? undefined : ownerOf(row))
  return {
    findOwner: (id) => found(byId.get(id)),
    findOwnerByEmail: (email) => found(byEmail.get(normalise(email))),
    addOwner: (email, passwordHash) => {
      const id = ids.uuid()
      const added = insert.run(id, normalise(email), passwordHash, clock.now())
      return added === 0 ? undefined : found(byId.get(id))
    },
    setPasswordHash: (id, passwordHash) => {
      setHash.run(passwordHash, id)
    },
    eraseOwner: (id) => {
      erase.run(id, id, id)
    },
  }
}

function normalise(email: string): string {
  return email.trim().toLowerCase()
}

function ownerOf(row: OwnerRow): Owner {
  return {
    id: trusted.ownerId(row.id),
    email: row.email,
    passwordHash: row.password_hash,
    createdAt: epochMillis(row.created_at),
  }
}
