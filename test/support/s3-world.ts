// A storage world with an S3 key and a bucket, and functions that read the XML of answers.
import { createHash } from 'node:crypto'
import { askS3, type S3Answer, type S3Ask, type S3Credentials } from './s3-client.ts'
import { type StorageWorld, startStorageWorld } from './storage-world.ts'

export interface S3World extends AsyncDisposable {
  readonly world: StorageWorld
  readonly keys: S3Credentials
  readonly bucket: string
  /** Sends one signed request. `path` is `/bucket/key`. */
  ask(method: string, path: string, options?: S3Ask): Promise<S3Answer>
  /** Sends one signed request for a key of the bucket. */
  on(method: string, key: string, options?: S3Ask): Promise<S3Answer>
  put(key: string, body: string, headers?: Readonly<Record<string, string>>): Promise<S3Answer>
  /** Returns the text of the object, or the error code. */
  read(key: string): Promise<string>
  mint(project: string): Promise<S3Credentials>
}

export async function startS3World(): Promise<S3World> {
  const world = await startStorageWorld()
  const mint = async (project: string): Promise<S3Credentials> =>
    (await world.at.call('POST', `/_emulator/v1/projects/${project}/s3-keys`)).body
  const keys = await mint(world.tenant.slug)
  const bucket = await world.freshBucket()
  const ask: S3World['ask'] = (method, path, options) => askS3(keys, method, path, options)
  const on: S3World['on'] = (method, key, options) => ask(method, `/${bucket}/${key}`, options)
  return {
    world,
    keys,
    bucket,
    ask,
    on,
    put: (key, body, headers = {}) => on('PUT', key, { body, headers }),
    read: async (key) => {
      const { status, text } = await on('GET', key)
      return status === 200 ? text : (all(text, 'Code')[0] ?? '')
    },
    mint,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

export const md5 = (data: string | Uint8Array): string =>
  createHash('md5').update(data).digest('hex')

/** Texts of all elements with this name, without decoding. */
export const all = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text ?? '')

/** Status and code of a refusal. */
export const refusal = ({ status, text }: { status: number; text: string }) => [
  status,
  all(text, 'Code')[0],
]
