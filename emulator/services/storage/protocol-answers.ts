// States the credentials and answers of the two other protocols of storage, TUS and S3, for the OpenAPI document
// (docs/wire/storage.md#tus, docs/wire/storage.md#s3).
import type { AnswerTable, RouteAnswers } from '../../core/route-answers.ts'
import { BY_TOKEN, BYTES, reading, type StorageCredential, UPSERT } from './answers.ts'

type Credentials = RouteAnswers<StorageCredential>['credentials']

const TUS = { 'Tus-Resumable': '`1.0.0`.' } as const

const OFFSET = { 'Upload-Offset': 'Number of bytes that the server has.' } as const

const NO_VERSION = { 412: 'no `Tus-Resumable`' } as const

function resumable(credentials: Credentials) {
  return {
    create: {
      credentials,
      answers: { 201: 'empty' },
      answerHeaders: { ...TUS, Location: 'Address of the upload.' },
      protocolRefusals: { ...NO_VERSION, 400: 'no length, or invalid metadata', 413: 'too large' },
      upload: ['application/offset+octet-stream'],
      isUploadOptional: true,
      headers: {
        ...TUS,
        ...UPSERT,
        'Upload-Length': 'Size of the file in bytes.',
        'Upload-Defer-Length': '`1` when the size is not known yet.',
        'Upload-Metadata':
          'Names and Base64 values: bucketName, objectName, contentType, cacheControl, metadata.',
      },
    },
    append: {
      credentials,
      answers: { 204: 'empty' },
      upload: ['application/offset+octet-stream'],
      headers: { ...TUS, ...OFFSET },
      protocolRefusals: {
        ...NO_VERSION,
        403: 'no offset or content type',
        404: 'unknown or expired upload',
        409: 'another offset',
        413: 'too large',
      },
      answerHeaders: { ...TUS, ...OFFSET },
    },
    status: {
      credentials,
      answers: { 200: 'empty' },
      headers: TUS,
      protocolRefusals: { ...NO_VERSION, 404: 'unknown or expired upload' },
      answerHeaders: { ...TUS, ...OFFSET, 'Upload-Length': 'Size of the file in bytes.' },
    },
    abandon: {
      credentials,
      answers: { 204: 'empty' },
      headers: TUS,
      protocolRefusals: {
        ...NO_VERSION,
        400: 'finished upload',
        404: 'unknown or expired upload',
      },
    },
  } as const
}

const TUS_BY_TOKEN = resumable(BY_TOKEN)
const TUS_BY_SIGNATURE = resumable([['uploadSignature']])

export const RESUMABLE_ANSWERS: AnswerTable<StorageCredential> = {
  'POST /upload/resumable': TUS_BY_TOKEN.create,
  'PATCH /upload/resumable/*': TUS_BY_TOKEN.append,
  'HEAD /upload/resumable/*': TUS_BY_TOKEN.status,
  'DELETE /upload/resumable/*': TUS_BY_TOKEN.abandon,
  'POST /upload/resumable/sign': TUS_BY_SIGNATURE.create,
  'PATCH /upload/resumable/sign/*': TUS_BY_SIGNATURE.append,
  'HEAD /upload/resumable/sign/*': TUS_BY_SIGNATURE.status,
  'DELETE /upload/resumable/sign/*': TUS_BY_SIGNATURE.abandon,
}

const BY_S3: Credentials = [['s3Signature']]
const XML = ['application/xml'] as const

export const S3_ANSWERS: AnswerTable<StorageCredential> = {
  'GET,HEAD /s3': { credentials: BY_S3, answers: { 200: XML } },
  'GET,HEAD /s3/*': {
    ...reading(BY_S3),
    answers: { 200: [...XML, ...BYTES], 206: BYTES, 304: 'empty' },
  },
  'PUT,POST /s3/*': {
    credentials: BY_S3,
    answers: { 200: XML, 201: XML, 204: 'empty', 303: 'empty' },
    upload: [...BYTES, ...XML],
  },
  'DELETE /s3/*': { credentials: BY_S3, answers: { 204: 'empty' } },
}
