// Routes for the access keys of S3 clients, below /_emulator/v1 (contract/s3-keys.ts).
import type { Hono } from 'hono'
import { S3_KEY_OPERATIONS } from '../../contract/s3-keys.ts'
import { toIso } from '../../core/time.ts'
import type { ProjectRegistry } from '../../platform/projects/registry.ts'
import { REGION } from '../../services/storage/s3/operations/bucket-operations.ts'
import type { S3KeyStore } from '../../services/storage/s3/signing/s3-key-store.ts'
import { InspectorError } from '../api-kit/errors.ts'
import { findProject } from '../api-kit/find-project.ts'
import { type Bindings, mountOnProject } from '../api-kit/mount.ts'

interface S3KeysDeps {
  readonly s3Keys: S3KeyStore
  readonly projects: ProjectRegistry
}

const SHOWN_CHARACTERS = 4

export function mountS3Keys(app: Hono<Bindings>, { s3Keys, projects }: S3KeysDeps): void {
  mountOnProject(app, S3_KEY_OPERATIONS, (reference) => findProject(projects, reference), {
    'GET /projects/:ref/s3-keys': ({ project }) => ({
      keys: s3Keys.list(project.schemaName).map(({ accessKeyId, secret, createdAt }) => ({
        access_key_id: accessKeyId,
        secret_access_key: `${secret.slice(0, SHOWN_CHARACTERS)}…`,
        created_at: toIso(createdAt),
      })),
    }),
    'POST /projects/:ref/s3-keys': ({ project, env }) => {
      if (project.state !== 'active')
        throw new InspectorError(
          'conflict',
          `No S3 key can be created, because the project is ${project.state}. Only active projects have storage.`,
        )
      const { accessKeyId, secret, createdAt } = s3Keys.mint(project.schemaName)
      return {
        access_key_id: accessKeyId,
        secret_access_key: secret,
        region: REGION,
        endpoint: `${env.addresses.storageUrl}/s3`,
        created_at: toIso(createdAt),
      }
    },
    'DELETE /projects/:ref/s3-keys/:id': ({ project, params: { id } }) => {
      if (!s3Keys.revoke(project.schemaName, id))
        throw new InspectorError('not_found', `The project has no S3 key ${id}.`)
      return { revoked: true as const }
    },
  })
}
