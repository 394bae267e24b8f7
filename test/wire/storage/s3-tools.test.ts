// Unmodified S3 clients as programs: rclone and the AWS command line, where they are installed (both are in Debian).
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3World, startS3World } from '../../support/s3-world.ts'

const run = promisify(execFile)
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0
const HAS_RCLONE = isThere('rclone')
const HAS_AWS = isThere('aws')
const hint = (program: string, has: boolean) =>
  has ? program : `${program} (skipped: not installed; try "apt-get install rclone awscli")`

let s3: S3World
let folder: string
let environment: Readonly<Record<string, string | undefined>>
beforeAll(async () => {
  s3 = await startS3World()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-s3-'))
  await mkdir(join(folder, 'files'))
  for (const name of ['a.txt', 'b c.txt']) await writeFile(join(folder, 'files', name), name)
  // Larger than 8 MB, so that both programs upload it in parts.
  await writeFile(join(folder, 'large'), randomBytes(12_000_000))
  const { access_key_id, secret_access_key, endpoint, region } = s3.keys
  environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    AWS_ACCESS_KEY_ID: access_key_id,
    AWS_SECRET_ACCESS_KEY: secret_access_key,
    AWS_DEFAULT_REGION: region,
    RCLONE_CONFIG_T_TYPE: 's3',
    RCLONE_CONFIG_T_PROVIDER: 'Other',
    RCLONE_CONFIG_T_ENV_AUTH: 'true',
    RCLONE_CONFIG_T_ENDPOINT: endpoint,
    RCLONE_CONFIG_T_REGION: region,
    RCLONE_CONFIG_T_FORCE_PATH_STYLE: 'true',
    RCLONE_S3_CHUNK_SIZE: '5M',
    RCLONE_S3_UPLOAD_CUTOFF: '5M',
    RCLONE_S3_COPY_CUTOFF: '5M',
  }
})
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const inFolder = (name: string) => join(folder, name)
const isSameFile = async (one: string, other: string) =>
  (await readFile(inFolder(one))).equals(await readFile(inFolder(other)))
const program = async (name: string, ...args: readonly string[]) =>
  (await run(name, args, { env: { ...environment }, cwd: folder })).stdout

describe.skipIf(!HAS_RCLONE)(hint('rclone', HAS_RCLONE), () => {
  const rclone = (...args: readonly string[]) => program('rclone', ...args)

  it('copies a folder, verifies the copy, and moves a file within the folder', async () => {
    const target = `t:${s3.bucket}/rclone`
    await rclone('copy', inFolder('files'), target)
    await rclone('check', inFolder('files'), target)
    await rclone('moveto', `${target}/a.txt`, `${target}/moved.txt`)
    expect((await rclone('lsf', target)).trim().split('\n')).toEqual(['b c.txt', 'moved.txt'])
  })

  it('sends and copies a large file in parts', async () => {
    const target = `t:${s3.bucket}/rclone-large`
    await rclone('copyto', inFolder('large'), target)
    await rclone('copyto', target, `${target}-copy`)
    await rclone('copyto', `${target}-copy`, inFolder('by-rclone'))
    expect(await isSameFile('large', 'by-rclone')).toBe(true)
  })
})

describe.skipIf(!HAS_AWS)(hint('aws', HAS_AWS), () => {
  const aws = (...args: readonly string[]) =>
    program('aws', '--endpoint-url', s3.keys.endpoint, ...args)

  it('synchronises a folder, and removes the folder', async () => {
    const target = `s3://${s3.bucket}/aws/`
    await aws('s3', 'sync', inFolder('files'), target)
    const listed = await aws('s3', 'ls', target)
    await aws('s3', 'rm', target, '--recursive')
    expect([listed, (await s3.ask('GET', `/${s3.bucket}/aws/a.txt`)).status]).toEqual([
      expect.stringMatching(/a\.txt\n.*b c\.txt\n/),
      404,
    ])
  })

  it('sends a large file in parts, and copies the file between keys', async () => {
    const source = `s3://${s3.bucket}/aws-large`
    await aws('s3', 'cp', inFolder('large'), source)
    await aws('s3', 'cp', source, `${source}-copy`)
    await aws('s3', 'cp', `${source}-copy`, inFolder('by-aws'))
    expect(await isSameFile('large', 'by-aws')).toBe(true)
  })

  it('reads an empty set of tags, and is refused when it writes an access control list', async () => {
    await s3.put('aws-plain', 'x')
    const named = ['--bucket', s3.bucket, '--key', 'aws-plain']
    const tags = JSON.parse(await aws('s3api', 'get-object-tagging', ...named))
    await expect(
      aws('s3api', 'put-object-acl', ...named, '--acl', 'private'),
    ).rejects.toMatchObject({ stderr: expect.stringContaining('NotImplemented') })
    expect([tags, await s3.read('aws-plain')]).toEqual([{ TagSet: [] }, 'x'])
  })
})
