// Compares two states tenant by tenant: rows by key, structure, objects and users (contract/snapshots.ts).
import type { SnapshotDiff } from '../../contract/snapshots.ts'
import { type SchemaName, schemaNameOf, trusted } from '../../core/names.ts'
import type { ReadableState } from './readable-state.ts'
import { type RoomForRows, tableDifference } from './table-difference.ts'
import { parseContent, type TenantContent } from './tenant-content.ts'

type TenantDiff = SnapshotDiff['tenants'][number]

const NO_TABLES = '[]'
const USERS = 'auth_users'
/** Maximum number of rows that a comparison lists. */
const MAX_ROWS = 500

/** Returns what was added, removed and changed from `before` to `after`. @throws {SqlError} */
export async function compareStates(
  before: ReadableState,
  after: ReadableState,
): Promise<readonly TenantDiff[]> {
  const room = { left: MAX_ROWS }
  const [schemasBefore, schemasAfter] = [schemasOf(before), schemasOf(after)]
  const tenants: TenantDiff[] = []
  for (const schemaName of [...new Set([...schemasBefore, ...schemasAfter])].toSorted()) {
    const wasThere = schemasBefore.has(schemaName)
    const isThere = schemasAfter.has(schemaName)
    const change = wasThere ? (isThere ? 'changed' : 'removed') : 'added'
    const difference = {
      schema_name: schemaName,
      change,
      ...changedTables(
        wasThere ? await before.contentOf(schemaName) : NO_TABLES,
        isThere ? await after.contentOf(schemaName) : NO_TABLES,
        room,
      ),
      ...changedObjects(
        wasThere ? objectsOf(before.db, schemaName) : new Set(),
        isThere ? objectsOf(after.db, schemaName) : new Set(),
      ),
      history_gaps: [],
    } as const
    if (change !== 'changed' || isDifferent(difference)) tenants.push(difference)
  }
  return tenants
}

function isDifferent(diff: TenantDiff): boolean {
  return (
    diff.tables.length > 0 ||
    diff.objects_added + diff.objects_removed + diff.users_added + diff.users_removed > 0
  )
}

/** Returns the schemas that comparisons show. */
export function schemasOf({ db }: Pick<ReadableState, 'db'>): ReadonlySet<SchemaName> {
  const rows = db
    .prepare<[], { slug: string }>(
      "select slug from projects where state in ('active', 'deleted', 'purging')",
    )
    .all()
  return new Set(rows.map(({ slug }) => schemaNameOf(trusted.slug(slug))))
}

// Includes each object's version, so that a replaced object differs from the old one.
function objectsOf(db: ReadableState['db'], schemaName: SchemaName): ReadonlySet<string> {
  const rows = db
    .prepare<[string], { text: string }>(
      `select json_array(o.bucket_id, o.object_key, o.version) as text
       from objects o join buckets b on b.id = o.bucket_id where b.schema_name = ?`,
    )
    .all(schemaName)
  return new Set(rows.map(({ text }) => text))
}

/** @param before text of a TenantContent, as is `after` */
function changedTables(
  before: string,
  after: string,
  room: RoomForRows,
): Pick<TenantDiff, 'tables' | 'users_added' | 'users_removed'> {
  if (before === after) return { tables: [], users_added: 0, users_removed: 0 }
  const [was, is] = [parseContent(before), parseContent(after)]
  const [usersBefore, users] = [usersOf(was), usersOf(is)]
  return {
    tables: [...new Set([...was.keys(), ...is.keys()])]
      .toSorted()
      .map((table) => tableDifference(table, was.get(table), is.get(table), room))
      .filter((difference) => difference !== undefined),
    users_added: missingFrom(usersBefore, users),
    users_removed: missingFrom(users, usersBefore),
  }
}

function usersOf(content: TenantContent): ReadonlySet<string> {
  return new Set(content.get(USERS)?.rows.keys())
}

function changedObjects(
  was: ReadonlySet<string>,
  is: ReadonlySet<string>,
): Pick<TenantDiff, 'objects_added' | 'objects_removed'> {
  return { objects_added: missingFrom(was, is), objects_removed: missingFrom(is, was) }
}

function missingFrom(some: ReadonlySet<string>, all: ReadonlySet<string>): number {
  let count = 0
  for (const each of all) if (!some.has(each)) count += 1
  return count
}
