// How the platform learns that a tenant's SQL changed its schema, also when the DDL sat in a function:
// an event trigger (cluster/30-default-grants.sql) sends an INFO message with a SQLSTATE of our own.
import type { SchemaName } from '../../core/names.ts'
import type { Engine, Notice, WorkResult } from '../engine.ts'

const SCHEMA_CHANGED = 'TY001'

/** The same engine, telling of every committed schema change before the work's own caller hears of its end. */
export function watchSchemaChanges(
  engine: Engine,
  onChange: (schemaName: SchemaName) => void,
): Engine {
  return {
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
    ask: (questions) => engine.ask(questions),
    admin: (work) => engine.admin(work),
    setTime: (time) => engine.setTime(time),
    stats: () => engine.stats(),
    close: () => engine.close(),
  }
}

/** Whether the work changed the schema and the change was committed. */
export function changedSchema(result: Pick<WorkResult, 'committed' | 'notices'>): boolean {
  return result.committed && result.notices.some(isSchemaChange)
}

/** Whether the notice is the platform's own word, which tenants need not see. */
export function isSchemaChange(notice: Notice): boolean {
  return notice.sqlState === SCHEMA_CHANGED
}
