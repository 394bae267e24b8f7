// Detects by command tags that work may have changed a schema, for servers without event triggers. Pure.
import type { StatementResult } from '../../engine.ts'

// DO and CALL are not in this list, because they may run any statement. A schema change by a function that SELECT calls is not
// detected.
const KEEPS_SCHEMA =
  /^(?:|SELECT|INSERT|UPDATE|DELETE|MERGE|COPY|FETCH|MOVE|DECLARE CURSOR|CLOSE CURSOR|SET|SHOW|RESET|BEGIN|START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|LOCK TABLE|EXPLAIN|PREPARE|EXECUTE|DEALLOCATE|DISCARD|LISTEN|UNLISTEN|NOTIFY|ANALYZE|VACUUM|SET CONSTRAINTS)(?: [\d ]+)?$/

/** Whether one of the statements may have changed the schema. */
export function mayChangeSchema(results: readonly StatementResult[]): boolean {
  return results.some(({ commandTag }) => !KEEPS_SCHEMA.test(commandTag))
}
