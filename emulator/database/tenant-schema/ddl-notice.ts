// Detects that a project's schema changed, also when a function ran the DDL. An event trigger
// (cluster/shared/30-schema-changes.sql) sends an INFO message with an SQLSTATE of our own, which the engines report as commits.
import type { SchemaName } from '../../core/names.ts'
import type { Engine, Notice } from '../engine.ts'

const SENT_BY_PLATFORM = 'TY001'

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

/**
 * Whether the platform's SQL sent the notice: the transaction changed the schema or, on a server, changed captured rows. Engines
 * must not return this notice to callers.
 */
export function isPlatformNotice(notice: Notice): boolean {
  return notice.sqlState === SENT_BY_PLATFORM
}

/** Removes the platform's notices. Returns the same array when it contains no notice. */
export function withoutPlatformNotices(notices: readonly Notice[]): readonly Notice[] {
  if (!notices.some(isPlatformNotice)) return notices
  return notices.filter((notice) => !isPlatformNotice(notice))
}
