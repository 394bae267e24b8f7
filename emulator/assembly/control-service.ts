// Connects the control plane to the foundation, and its interface for buckets to object storage.

import { createSchemaBuilder } from '../database/template/schema-builder.ts'
import type { ReadyDeps } from '../insight/project-tools/ready-line.ts'
import { createProjectKeyMint } from '../platform/credentials/project-key.ts'
import { createSessionTokenMint } from '../platform/credentials/session-tokens.ts'
import type { ProjectLookup } from '../platform/projects/project.ts'
import { addressesOf } from '../server/hosts.ts'
import { createSqlExecutor } from '../services/control/db-exec/execute-sql.ts'
import type { ControlDeps } from '../services/control/deps.ts'
import { adoptState } from '../services/control/projects/adopt-state.ts'
import type {
  BucketCreation,
  PlatformBucket,
  PlatformBuckets,
} from '../services/control/projects/platform-buckets.ts'
import {
  fullBucketName,
  isBucketName,
  problemOfOwner,
  problemOfShortName,
} from '../services/storage/buckets/bucket-name.ts'
import type { Bucket, BucketStore } from '../services/storage/buckets/bucket-store.ts'
import type { Foundation } from './open-foundation.ts'

/** Creates the dependencies of the control plane's commands. */
export function controlDeps(
  foundation: Foundation,
  postgresUrl: ControlDeps['postgresUrl'],
): ControlDeps {
  const { engine, lifecycle, stores, clock, ids, observe, signingKeys, verifier } = foundation
  const { closing, config, developer, wallClock } = foundation
  // A stock of clones takes identifiers in the background, at other times in each run. So a run with a seed has no stock.
  const stock =
    config.deterministicSeed === undefined ? { wallClock, ids, observe, closing } : undefined
  const deps: ControlDeps = {
    stores,
    credentials: {
      verifier,
      sessionTokens: createSessionTokenMint(signingKeys),
      projectKeys: createProjectKeyMint(signingKeys),
    },
    developer: { id: developer.id, adminToken: config.adminToken },
    schemas: createSchemaBuilder({ engine, lifecycle, fidelity: config.clone, stock }),
    lifecycle,
    executeSql: createSqlExecutor({ engine, maxResultBytes: config.maxResultBytes }),
    buckets: createPlatformBuckets(foundation.storage.buckets, stores.projects),
    postgresUrl,
    clock,
    ids,
    observe,
  }
  lifecycle.listen({ stateReplaced: () => adoptState(deps, foundation) })
  return deps
}

/** Creates the dependencies of the developer's view of the emulator. */
export function readyDeps(
  foundation: Foundation,
  { credentials, postgresUrl }: Pick<ControlDeps, 'credentials' | 'postgresUrl'>,
): ReadyDeps {
  const { publicUrl } = foundation.config
  return {
    ...foundation,
    credentials,
    postgresUrl,
    buckets: foundation.storage.buckets,
    addressesAt: (origin) => addressesOf(publicUrl ?? origin),
  }
}

/**
 * Buckets of the platform's routes (docs/wire/platform.md#buckets). Callers use the short names of buckets; storage uses their
 * full names. This interface is implemented here, because services do not import each other.
 */
function createPlatformBuckets(
  store: BucketStore,
  projects: Pick<ProjectLookup, 'findProjectBySchema'>,
): PlatformBuckets {
  return {
    list: (project) => Promise.resolve(store.listBuckets(project.schemaName).map(asPlatformBucket)),
    create: (project, { shortName, isPublic, fileSizeLimit }): Promise<BucketCreation> => {
      const { schemaName } = project
      const fullName = fullBucketName(schemaName, shortName)
      const problem =
        problemOfShortName(shortName) ??
        problemOfFullName(fullName) ??
        problemOfOwner(projects, schemaName, fullName)
      if (problem !== undefined) return Promise.resolve({ kind: 'nameRefused', problem })
      const bucket = store.addBucket({
        fullName,
        schemaName,
        isPublic,
        fileSizeLimit,
      })
      return Promise.resolve(
        bucket === undefined
          ? { kind: 'nameTaken' }
          : { kind: 'created', bucket: asPlatformBucket(bucket) },
      )
    },
  }
}

// Explains why storage would refuse the full name.
function problemOfFullName(fullName: string): string | undefined {
  return isBucketName(fullName)
    ? undefined
    : `is too long: ${fullName} has more than 100 characters`
}

function asPlatformBucket({
  fullName,
  isPublic,
  fileSizeLimit,
  createdAt,
}: Bucket): PlatformBucket {
  return { fullName, isPublic, fileSizeLimit, createdAt }
}
