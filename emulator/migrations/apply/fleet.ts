// The projects that migrations run on: a template and the tenants of its group. Implemented by the running emulator
// (local-fleet.ts) and by the HTTP API of the hosted platform (remote-fleet.ts).
import type { JsonObject } from '../../core/json.ts'

/** Result of one call of db/exec (docs/wire/platform.md#db-exec). */
export type ExecOutcome =
  | { readonly kind: 'done'; readonly rows: readonly JsonObject[] }
  | {
      readonly kind: 'failed'
      /** SQLSTATE, or the code of a refusal such as `transaction_control_blocked`. */
      readonly code: string
      readonly message: string
      /** 1-based line of the script, when it is known. */
      readonly line: number | undefined
    }

/** Runs a script in one transaction as a project's owner. */
export type Exec = (sql: string) => Promise<ExecOutcome>
