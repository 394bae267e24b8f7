// The projects that migrations run on: a template and the tenants of its group. Implemented by the running emulator
// (local-fleet.ts) and by the HTTP API of the hosted platform (remote/remote-fleet.ts).
import { EmulatorError } from '../../../core/errors.ts'
import type { JsonObject } from '../../../core/json.ts'

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

/** Runs a script in one transaction as a project's owner. @throws {FleetFailure} */
export type Exec = (sql: string) => Promise<ExecOutcome>

export interface FleetProject {
  readonly slug: string
  readonly schemaName: string
  readonly state: 'active' | 'deleted'
  /** Slug of the template that a tenant was cloned from; `null` when it is unknown, and for templates. */
  readonly templateVersion: string | null
}

export interface Fleet {
  /** The project that is edited, and whose schema a publish copies. @throws {FleetFailure} */
  template(): Promise<FleetProject>
  /** Published versions of the template, the oldest first. On the hosted platform: only the newest. */
  versions(): Promise<readonly FleetProject[]>
  /** The oldest first. */
  tenants(): Promise<readonly FleetProject[]>
  /** Runs a script in one transaction as the project's owner. @throws {FleetFailure} */
  exec(project: FleetProject, sql: string): Promise<ExecOutcome>
  /** Publishes the template. Returns the slug of the new version. @throws {FleetFailure} */
  publish(): Promise<string>
}

/** Code of a refusal because no key is set for the project. */
export const MISSING_KEY = 'missing_key'

/**
 * Why a call has no outcome. `lost`: no answer arrived, so the call may have been carried out. `refused`: nothing was carried
 * out. `unauthorized`: refused, and every further call with the same credential would be refused, too.
 */
export type FleetFailureKind = 'lost' | 'refused' | 'unauthorized'

export class FleetFailure extends EmulatorError {
  override readonly code: string
  readonly kind: FleetFailureKind

  constructor(
    kind: FleetFailureKind,
    code: string,
    message: string,
    hint?: string,
    cause?: unknown,
  ) {
    super(message, { hint, cause })
    this.kind = kind
    this.code = code
  }
}
