// The projects that migrations run on: a template and the tenants of its group. local-fleet.ts implements the fleet of this
// emulator, and remote/remote-fleet.ts a fleet of the hosted platform, over HTTP.
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
      /** 1-based line of the script; `undefined` when the line is not known. */
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
  /** Returns the project that developers change, and whose schema a publish copies. @throws {FleetFailure} */
  template(): Promise<FleetProject>
  /** Published versions of the template, the oldest first. The hosted platform lists only the newest version. */
  versions(): Promise<readonly FleetProject[]>
  /** The tenants, the oldest first. */
  tenants(): Promise<readonly FleetProject[]>
  /** Runs a script in one transaction as the project's owner. @throws {FleetFailure} */
  exec(project: FleetProject, sql: string): Promise<ExecOutcome>
  /** Publishes the template. Returns the slug of the new version. @throws {FleetFailure} */
  publish(): Promise<string>
}

/** Code of the failure when no key is set for a project or for the group. */
export const MISSING_KEY = 'missing_key'

/**
 * Why a call has no outcome. `lost`: no answer arrived, so the call may have been carried out. `refused`: nothing was carried
 * out. `unauthorized`: like `refused`, and the platform would refuse every further call with the same credential.
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
