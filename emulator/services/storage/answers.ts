// States the credentials and answers of storage's routes for the OpenAPI document (docs/wire/storage.md).
import { z } from 'zod'
import type { AnswerTable, RouteAnswers } from '../../core/route-answers.ts'

export type StorageCredential =
  | 'storageToken'
  | 'urlToken'
  | 'uploadSignature'
  | 's3Signature'
  | 'projectCredential'

type Answers = RouteAnswers<StorageCredential>

const Instant = z.iso.datetime().describe('ISO 8601 in UTC')

const Bucket = z.object({
  id: z.string().describe('`proj_<slug>_<name>`'),
  name: z.string(),
  owner: z.string(),
  public: z.boolean(),
  file_size_limit: z.int().nullable().describe('Bytes'),
  allowed_mime_types: z.array(z.string()).nullable(),
  created_at: Instant,
  updated_at: Instant,
})
const ListedBucket = Bucket.extend({ type: z.literal('STANDARD') })

const Metadata = z.object({
  eTag: z.string(),
  size: z.int(),
  mimetype: z.string(),
  cacheControl: z.string(),
  lastModified: Instant,
  contentLength: z.int(),
  httpStatusCode: z.literal(200),
  xRobotsTag: z.exactOptional(z.string()),
})
const StoredFile = z.object({
  name: z.string(),
  bucket_id: z.string(),
  owner: z.string().nullable(),
  owner_id: z.string().nullable(),
  version: z.uuid(),
  id: z.uuid(),
  updated_at: Instant,
  created_at: Instant,
  last_accessed_at: Instant,
  metadata: Metadata,
  user_metadata: z.record(z.string(), z.unknown()).nullable(),
})
const FileInfo = z.object({
  id: z.uuid(),
  name: z.string(),
  version: z.uuid(),
  bucket_id: z.string(),
  size: z.int(),
  content_type: z.string(),
  cache_control: z.string(),
  etag: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  last_modified: Instant,
  created_at: Instant,
})
const ListedFile = z
  .object({
    name: z.string(),
    id: z.uuid().nullable(),
    updated_at: Instant.nullable(),
    created_at: Instant.nullable(),
    last_accessed_at: Instant.nullable(),
    metadata: Metadata.nullable(),
  })
  .describe('Folders have null in place of id, last_accessed_at and metadata')
const ListedInPage = ListedFile.extend({ key: z.exactOptional(z.string()) })
const FilePage = z.object({
  hasNext: z.boolean(),
  nextCursor: z.exactOptional(z.string()),
  nextCursorKey: z.exactOptional(z.string()),
  folders: z.array(ListedInPage),
  objects: z.array(ListedInPage),
})
const Message = z.object({ message: z.string() })
const SignedAddress = z.object({
  signedURL: z.string().describe('Relative to the storage address'),
})
const SignedPath = z.object({
  error: z.string().nullable(),
  path: z.string(),
  signedURL: z.string().nullable(),
})
const StorageToken = z.object({
  token: z.string().describe('HS256 JWT, valid for one hour'),
  url: z.string().describe('The storage address'),
  role: z.enum(['anon', 'authenticated']),
  pode_escrever: z.boolean().describe('Whether the token may write'),
})

/** Schemas by their name in the OpenAPI document. */
export const STORAGE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Bucket,
  ListedBucket,
  Metadata,
  StoredFile,
  FileInfo,
  ListedFile,
  ListedInPage,
  FilePage,
  Message,
  SignedAddress,
  SignedPath,
  StorageToken,
}

export const BY_TOKEN: Answers['credentials'] = [['storageToken']]
const BY_ANYONE: Answers['credentials'] = [[]]
const BY_ADDRESS: Answers['credentials'] = [['urlToken']]
export const BYTES: readonly string[] = ['application/octet-stream']

function byToken(ok: z.ZodType): Answers {
  return { credentials: BY_TOKEN, answers: { 200: ok } }
}

const UPLOAD_HEADERS = {
  'cache-control': 'Stored, and sent with every download.',
  'x-metadata': 'Base64 of a JSON object, which becomes the metadata of the file.',
  'x-robots-tag': 'Stored, and sent with every download.',
} as const
export const UPSERT: Readonly<Record<string, string>> = {
  'x-upsert': '`true` replaces an existing file.',
}
const UPLOAD = {
  upload: [...BYTES, 'multipart/form-data'],
  headers: { ...UPLOAD_HEADERS, ...UPSERT },
} as const

/** The answers of a route that serves the bytes of a file. */
export function reading(credentials: Answers['credentials']): Answers {
  return {
    credentials,
    answers: { 200: BYTES, 206: BYTES, 304: 'empty' },
    query: z.object({ download: z.string().optional().describe('File name for browsers') }),
    headers: {
      range: 'One range of bytes.',
      'if-none-match': 'ETag of a copy that the caller has.',
      'if-modified-since': 'HTTP date of a copy that the caller has.',
    },
    answerHeaders: {
      ETag: 'Changes with the bytes, in quotes.',
      'Cache-Control': 'As stored with the file.',
      'Last-Modified': 'HTTP date.',
      'Accept-Ranges': '`bytes`.',
      'Content-Range': 'The range, with status 206.',
      'Content-Disposition': 'With the parameter `download`.',
    },
  }
}

function info(credentials: Answers['credentials']): Answers {
  return { credentials, answers: { 200: FileInfo } }
}

const PURGE: Answers = byToken(Message)

export const STORAGE_TOKEN_ANSWERS: AnswerTable<StorageCredential> = {
  'POST /st/v1/token': { credentials: [['projectCredential']], answers: { 200: StorageToken } },
}

export const STORAGE_ANSWERS: AnswerTable<StorageCredential> = {
  'POST /bucket': byToken(z.object({ name: z.string() })),
  'GET /bucket': byToken(z.array(ListedBucket)),
  'GET /bucket/:bucket': byToken(Bucket),
  'PUT /bucket/:bucket': byToken(Message),
  'DELETE /bucket/:bucket': byToken(Message),
  'POST /bucket/:bucket/empty': byToken(Message),

  'POST,PUT /object/:bucket/*': {
    ...byToken(z.object({ Key: z.string(), Id: z.uuid() })),
    ...UPLOAD,
  },
  'DELETE /object/:bucket/*': byToken(Message),
  'GET,HEAD /object/:bucket/*': reading([...BY_ANYONE, ...BY_TOKEN]),
  'GET,HEAD /object/authenticated/:bucket/*': reading(BY_TOKEN),
  'GET,HEAD /object/public/:bucket/*': reading(BY_ANYONE),
  'GET,HEAD /object/info/:bucket/*': info(BY_TOKEN),
  'GET,HEAD /object/info/authenticated/:bucket/*': info(BY_TOKEN),
  'GET,HEAD /object/info/public/:bucket/*': info(BY_ANYONE),

  'POST /object/list/:bucket': byToken(z.array(ListedFile)),
  'POST /object/list-v2/:bucket': byToken(FilePage),
  'POST /object/move': byToken(Message),
  'POST /object/copy': {
    ...byToken(StoredFile.extend({ Id: z.uuid(), Key: z.string() })),
    headers: {
      ...UPSERT,
      'x-metadata': 'Metadata of the copy with copyMetadata=false: Base64 of a JSON object.',
    },
  },
  'DELETE /object/:bucket': byToken(z.array(StoredFile)),

  'POST /object/sign/:bucket/*': byToken(SignedAddress),
  'POST /object/sign/:bucket': byToken(z.array(SignedPath)),
  'GET,HEAD /object/sign/:bucket/*': reading(BY_ADDRESS),
  'POST /object/upload/sign/:bucket/*': {
    ...byToken(z.object({ url: z.string(), token: z.string() })),
    headers: UPSERT,
  },
  'PUT /object/upload/sign/:bucket/*': {
    credentials: BY_ADDRESS,
    answers: { 200: z.object({ Key: z.string() }) },
    upload: UPLOAD.upload,
    headers: UPLOAD_HEADERS,
  },
  'GET,HEAD /render/image/authenticated/:bucket/*': reading(BY_TOKEN),
  'GET,HEAD /render/image/public/:bucket/*': reading(BY_ANYONE),
  'GET,HEAD /render/image/sign/:bucket/*': reading(BY_ADDRESS),

  'DELETE /cdn/:bucket/*': PURGE,
  'DELETE /cdn/:bucket': PURGE,
  'DELETE /cdn/': PURGE,
  'DELETE /cdn': PURGE,
}
