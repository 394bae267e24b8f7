// Counts and names what changed after a change was applied. An undo would lose these later changes. Pure.
import type { SnapshotDiff } from '../../contract/snapshots.ts'
import { parseSchemaName, slugOf } from '../../core/names.ts'

export interface LaterChanges {
  readonly count: number
  /** `undefined` when nothing changed. */
  readonly sentence: string | undefined
}

interface Part {
  readonly count: number
  readonly text: string
}

/** Maximum number of tables, projects and sets of files that the sentence names. */
const NAMED = 4

/** @param since the differences from the state right after the change to the present state */
export function laterChanges({ tenants }: SnapshotDiff): LaterChanges {
  const parts = tenants.flatMap((tenant): readonly Part[] => {
    const schemaName = parseSchemaName(tenant.schema_name)
    const project = schemaName === undefined ? tenant.schema_name : slugOf(schemaName)
    if (tenant.change !== 'changed')
      return [{ count: 1, text: `project ${project} ${tenant.change}` }]
    const files = tenant.objects_added + tenant.objects_removed
    return [
      ...tenant.tables.flatMap((table) => tableParts(project, table)),
      ...(files === 0 ? [] : [{ count: files, text: `${counted(files, 'file')} of ${project}` }]),
    ]
  })
  if (parts.length === 0) return { count: 0, sentence: undefined }
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const named = parts.slice(0, NAMED).map(({ text }) => text)
  const more = parts.length > NAMED ? [`${parts.length - NAMED} more places`] : []
  return {
    count,
    sentence: `${counted(count, 'change')} since then would be lost: ${[...named, ...more].join(', ')}.`,
  }
}

function tableParts(
  project: string,
  table: SnapshotDiff['tenants'][number]['tables'][number],
): readonly Part[] {
  const rows = table.rows_added + table.rows_removed + table.rows_changed
  const where = `${table.table} of ${project}`
  return [
    ...(rows === 0 ? [] : [{ count: rows, text: `${counted(rows, 'row')} in ${where}` }]),
    ...(table.structure_changed ? [{ count: 1, text: `the structure of ${where}` }] : []),
  ]
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}
