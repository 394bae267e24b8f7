// Detects that a tenant's SQL changed its schema, also when a function ran the DDL. An event trigger
// (cluster/30-default-grants.sql) sends an INFO message with an SQLSTATE of our own.
import type { SchemaName } from '../../core/names.ts'
import { delegate, type Engine, type Notice, type WorkResult } from '../engine.ts'

const SCHEMA_CHANGED = 'TY001'

/** Wraps the engine: calls `onChange` after every committed schema change, before the work's caller gets its result. */
export function watchSchemaChanges(
  engine: Engine,
  onChange: (schemaName: SchemaName) => void,
): Engine {
  return {
    ...delegate(engine),
    run: async (work) => {
      const result = await engine.run(work)
      if (changedSchema(result)) onChange(work.actor.schemaName)
      return result
    },
    connect: (login) =>
      engine.connect({
        ...login,
        afterWork: async (work) => {
          if (work.isSchemaChanged) onChange(login.schemaName)
          await login.afterWork?.(work)
        },
      }),
  }
}

/** Whether the work changed the schema and the change was committed. */
export function changedSchema(result: Pick<WorkResult, 'committed' | 'notices'>): boolean {
  return result.committed && result.notices.some(isSchemaChange)
}

/** Whether the notice reports a schema change. Callers must not forward notices of schema changes to tenants. */
export function isSchemaChange(notice: Notice): boolean {
  return notice.sqlState === SCHEMA_CHANGED
}
