// Formats snapshots and their differences for the terminal.
import type { Snapshot, SnapshotDiff } from '../contract/snapshots.ts'

export function snapshotLines(snapshots: readonly Snapshot[]): string {
  if (snapshots.length === 0) return 'There are no snapshots.'
  return snapshots.map(snapshotLine).join('\n')
}

function snapshotLine({ name, note, saved_at, size_bytes, tenants }: Snapshot): string {
  const size = `${(size_bytes / 1_000_000).toFixed(1)} MB`
  const inside = `${tenants} ${tenants === 1 ? 'tenant' : 'tenants'}`
  return `${name}  ${saved_at}  ${inside}  ${size}${note === null ? '' : `  ${note}`}`
}

export function diffLines({ tenants }: SnapshotDiff): string {
  if (tenants.length === 0) return 'Nothing differs.'
  return tenants.flatMap(tenantLines).join('\n')
}

function tenantLines(tenant: SnapshotDiff['tenants'][number]): readonly string[] {
  return [
    `${tenant.schema_name} ${tenant.change}`,
    ...tenant.tables.map(
      (table) =>
        `  ${table.table}  ${counts(table.rows_added, table.rows_removed, table.rows_changed)}${table.structure_changed ? '  structure' : ''}`,
    ),
    ...pair('objects', tenant.objects_added, tenant.objects_removed),
    ...pair('users', tenant.users_added, tenant.users_removed),
  ]
}

function pair(what: string, added: number, removed: number): readonly string[] {
  return added + removed === 0 ? [] : [`  (${what})  ${counts(added, removed, 0)}`]
}

function counts(added: number, removed: number, changed: number): string {
  return `+${added} -${removed} ~${changed}`
}
