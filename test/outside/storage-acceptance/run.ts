// `npm run acceptance -- FOLDER [arguments of vitest]`: runs the storage service's own acceptance suite against an emulator.
// FOLDER holds a checkout's `acceptance/` and `tsconfig.json`, and a `node_modules` with what it imports: vitest, dotenv, tus-js-client,
// @aws-sdk/client-s3 and @aws-sdk/s3-presigned-post. The suite is not part of this repository.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { startStorageWorld } from '../../support/storage-world.ts'
import { mapBucketNames } from './bucket-names.ts'
import { startMappingProxy } from './mapping-proxy.ts'

const RESOURCE_PREFIX = 'outside'
const RLS_BUCKET = `${RESOURCE_PREFIX}-rls`

const [folder, ...passed] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write('Name the folder that holds the suite: npm run acceptance -- FOLDER\n')
  process.exit(2)
}
process.exitCode = await runSuite(resolve(folder), passed)

async function runSuite(suite: string, args: readonly string[]): Promise<number> {
  await using world = await startStorageWorld()
  const { schemaName, slug } = world.tenant
  const keys = await world.at.call('POST', `/_emulator/v1/projects/${slug}/s3-keys`)
  const names = mapBucketNames(schemaName, RESOURCE_PREFIX)
  await world.ask('POST', '/bucket', { body: { name: names.toPlatform(RLS_BUCKET) } })
  await using proxy = await startMappingProxy({
    origin: world.at.url,
    names,
    s3Secret: keys.body.secret_access_key,
  })
  const child = spawn(
    resolve(suite, 'node_modules/.bin/vitest'),
    ['run', '--config', 'acceptance/acceptance.vitest.config.ts', ...args],
    {
      cwd: suite,
      stdio: 'inherit',
      env: {
        ...process.env,
        ACCEPTANCE_PROFILE: 'full',
        ACCEPTANCE_BASE_URL: `${proxy.url}/storage/v1`,
        ACCEPTANCE_RESOURCE_PREFIX: RESOURCE_PREFIX,
        ACCEPTANCE_SERVICE_KEY: world.tokens.server,
        ACCEPTANCE_AUTHENTICATED_KEY: world.tokens.user,
        ACCEPTANCE_ANON_KEY: world.tokens.anon,
        ACCEPTANCE_S3_ACCESS_KEY_ID: keys.body.access_key_id,
        ACCEPTANCE_S3_SECRET_ACCESS_KEY: keys.body.secret_access_key,
        ACCEPTANCE_REGION: keys.body.region,
        ACCEPTANCE_ENABLE_CDN: 'true',
        ACCEPTANCE_ENABLE_RENDER: 'true',
        ACCEPTANCE_ENABLE_RLS_SETUP: 'true',
        ACCEPTANCE_RLS_BUCKET: RLS_BUCKET,
        // For file storage, the suite expects support of keys with empty segments.
        STORAGE_BACKEND: 'file',
      },
    },
  )
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 1
}
