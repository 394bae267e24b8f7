// Detects that a project's schema changed, also when a function ran the DDL. An event trigger
// (cluster/shared/30-schema-changes.sql) sends an INFO message with an SQLSTATE of our own, which the engines turn into commits.
import type { SchemaName } from '../../core/names.ts'
import type { Engine, Notice } from '../engine.ts'

const SCHEMA_CHANGED = 'TY001'

/** Calls `onChange` after every committed schema change, before the work that made it resolves. */
export function watchSchemaChanges(
  { changes }: Pick<Engine, 'changes'>,
  onChange: (schemaName: SchemaName) => void,
): void {
  changes.watch({
    onCommit: ({ schemaName, isSchemaChanged }) => {
      if (isSchemaChanged) onChange(schemaName)
      return undefined
    },
    onMissed: onChange,
  })
}

/** Whether the notice reports a schema change. Engines must not return this notice to callers. */
export function isSchemaChange(notice: Notice): boolean {
  return notice.sqlState === SCHEMA_CHANGED
}
