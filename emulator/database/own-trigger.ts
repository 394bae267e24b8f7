// Distinguishes a project's own triggers from the platform's. On a server, the catalogue also lists the triggers that capture row
// changes; the embedded engine marks them as internal.
import { type Sql, verbatim } from './sql.ts'

/**
 * A condition on a row of `pg_trigger`: the trigger belongs to the project. The condition names no schema, because queries of the
 * catalogue also run through a platform's SQL route, which refuses `pg_catalog`.
 * @param alias of the row
 */
export function isOwnTrigger(alias: string): Sql {
  return verbatim(`not ${alias}.tgisinternal and not exists (
    select from pg_proc as routine
    join pg_namespace as home on home.oid = routine.pronamespace
    where routine.oid = ${alias}.tgfoid and home.nspname = 'platform')`)
}
