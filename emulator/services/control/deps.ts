// The interfaces that the control plane needs; assembly/ provides their implementations.

import type { Clock } from '../../core/clock.ts'
import type { IdSource } from '../../core/id-source.ts'
import type { Observer } from '../../core/observation.ts'
import type { Addresses } from '../../core/request-env.ts'
import type { Stopwatch } from '../../core/stopwatch.ts'
import type { SchemaBuilder } from '../../database/schema-builder.ts'
import type { ProjectKeyMint } from '../../platform/credentials/project-key.ts'
import type { SessionTokenMint } from '../../platform/credentials/session-tokens.ts'
import type { Verifier } from '../../platform/credentials/verify.ts'
import type { ExecuteSql } from '../../platform/owner-sql/sql-outcome.ts'
import type { Lifecycle } from '../../platform/projects/lifecycle.ts'
import type { Project } from '../../platform/projects/project.ts'
import type { DeveloperAccount } from './accounts/developer-account.ts'
import type { PlatformBuckets } from './projects/platform-buckets.ts'
import type { ControlStores } from './stores.ts'

export interface ControlDeps {
  readonly stores: ControlStores
  readonly credentials: {
    readonly verifier: Verifier
    readonly sessionTokens: SessionTokenMint
    readonly projectKeys: ProjectKeyMint
  }
  readonly developer: DeveloperAccount
  readonly schemas: SchemaBuilder
  readonly lifecycle: Lifecycle
  readonly executeSql: ExecuteSql
  readonly buckets: PlatformBuckets
  /** Returns the address of the project for Postgres clients; `undefined` while the port is closed. */
  readonly postgresUrl: (project: Project) => Promise<string | undefined>
  readonly clock: Clock
  readonly ids: IdSource
  readonly observe: Observer
}

/** Data of the request that started a command, for traces and for addresses in keys. */
export interface RequestOrigin {
  readonly requestId: string
  readonly addresses: Addresses
  readonly stopwatch?: Stopwatch
}
