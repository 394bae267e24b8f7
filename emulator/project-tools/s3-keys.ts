// A project's access keys for S3 clients over /_emulator/v1 (contract/s3-keys.ts): mint, list, revoke.
import type { Hono } from 'hono'
import { type Bindings, findProject } from '../api-kit/decode.ts'
import { InspectorError } from '../api-kit/errors.ts'
import type { MintedS3Key, S3KeyList } from '../contract/s3-keys.ts'
import { toIso } from '../core/time.ts'
import type { Project } from '../projects/project.ts'
import type { ProjectRegistry } from '../projects/registry.ts'
import { REGION } from '../storage/s3/operations/bucket-operations.ts'
import type { S3KeyStore } from '../storage/s3/signing/s3-key-store.ts'

interface S3KeysDeps {
  readonly s3Keys: S3KeyStore
  readonly projects: ProjectRegistry
}

const SHOWN_CHARACTERS = 4

export function mountS3Keys(app: Hono<Bindings>, { s3Keys, projects }: S3KeysDeps): void {
  app.get('/projects/:ref/s3-keys', (c) => {
    const { schemaName } = findProject(projects, c.req.param('ref'))
    const keys = s3Keys.list(schemaName).map(({ accessKeyId, secret, createdAt }) => ({
      access_key_id: accessKeyId,
      secret_access_key: `${secret.slice(0, SHOWN_CHARACTERS)}…`,
      created_at: toIso(createdAt),
    }))
    return c.json({ keys } satisfies S3KeyList)
  })
  app.post('/projects/:ref/s3-keys', (c) => {
    const { schemaName } = activeProject(projects, c.req.param('ref'))
    const { accessKeyId, secret, createdAt } = s3Keys.mint(schemaName)
    return c.json(
      {
        access_key_id: accessKeyId,
        secret_access_key: secret,
        region: REGION,
        endpoint: `${c.env.addresses.storageUrl}/s3`,
        created_at: toIso(createdAt),
      } satisfies MintedS3Key,
      201,
    )
  })
  app.delete('/projects/:ref/s3-keys/:id', (c) => {
    const { schemaName } = findProject(projects, c.req.param('ref'))
    const id = c.req.param('id')
    if (!s3Keys.revoke(schemaName, id))
      throw new InspectorError('not_found', `The project has no S3 key ${id}.`)
    return c.json({ revoked: true })
  })
}

function activeProject(projects: ProjectRegistry, reference: string): Project {
  const project = findProject(projects, reference)
  if (project.state === 'active') return project
  throw new InspectorError('conflict', `The project is ${project.state}: it has no storage.`)
}
