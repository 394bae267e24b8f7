// Operations of object storage and of its token exchange, with the situations each documents (docs/wire/storage.md#errors). Paths are those below the storage address.
import { S3_STATUS } from '../../storage/s3/s3-error.ts'
import { type FaultOperation, REQUEST_EFFECTS, rowsOf } from './fault-operation.ts'

const BEARER = ['badBearer', 'revokedBearer', 'directKey']
const EVERYWHERE = ['invalidRequest', 'routeNotFound', 'overloaded', 'internal', 'unavailable']
const row = rowsOf({
  service: 'storage',
  door: 'storage',
  dialect: 'storage',
  always: [...BEARER, ...EVERYWHERE],
})
const tus = rowsOf({
  service: 'storage',
  door: 'storage',
  dialect: 'tus',
  always: [...BEARER, 'invalidRequest', 'overloaded', 'internal'],
})
const s3 = rowsOf({
  service: 'storage',
  door: 'storage',
  dialect: 's3',
  always: [
    ...Object.keys(S3_STATUS),
    'objectNotFound',
    'bucketNotFound',
    'invalidRange',
    'overloaded',
    'internal',
  ],
})
const exchange = rowsOf({
  service: 'storage',
  door: 'storageToken',
  dialect: 'exchange',
  always: ['unauthorized', 'storage_quota_exceeded', 'not_found', 'method_not_allowed', 'internal'],
})

const FINDING = ['objectNotFound', 'bucketNotFound']
const READING = [...FINDING, 'bytesMissing', 'invalidRange', 'accessDenied']
const STORING = [
  'rowRefused',
  'invalidKey',
  'bucketNotFound',
  'objectExists',
  'invalidMimeType',
  'tooLarge',
  'invalidRobotsTag',
  'unreadableBody',
  'clientGone',
  'locked',
  'diskFull',
]
const PICTURES = [...FINDING, 'bytesMissing', 'invalidImage', 'featureOff', 'tooLarge']
const SIGNED = ['invalidJwt', 'invalidSignature']
const JSON_BODY = ['unreadableBody']
/** Also: no byte more can be written. */
const WRITING: FaultOperation['effects'] = [...REQUEST_EFFECTS, 'disk_full']

export const STORAGE_OPERATIONS: readonly FaultOperation[] = [
  exchange('storage.token', 'POST /st/v1/token', 'Exchanges a key for a storage token'),
  row('storage_bucket.create', 'POST /bucket', 'Makes a bucket', [
    'bucketExists',
    'invalidBucketName',
    'invalidSizeText',
    'tooLarge',
    'rowRefused',
    ...JSON_BODY,
  ]),
  row('storage_bucket.list', 'GET /bucket', 'Lists buckets'),
  row('storage_bucket.read', 'GET /bucket/:bucket', 'Reads a bucket', ['bucketNotFound']),
  row('storage_bucket.update', 'PUT /bucket/:bucket', 'Changes a bucket', [
    'bucketNotFound',
    'invalidSizeText',
    'accessDenied',
    ...JSON_BODY,
  ]),
  row('storage_bucket.delete', 'DELETE /bucket/:bucket', 'Deletes a bucket', [
    'bucketNotFound',
    'bucketNotEmpty',
    'accessDenied',
  ]),
  row('storage_bucket.empty', 'POST /bucket/:bucket/empty', 'Empties a bucket', [
    'bucketNotFound',
    'roleRefused',
    'tooManyObjects',
  ]),
  row('object.upload', 'POST,PUT /object/:bucket/*', 'Uploads a file', STORING, WRITING),
  row('object.download', 'GET,HEAD /object/:bucket/*', 'Downloads a file', READING),
  row('object.download', 'GET,HEAD /object/authenticated/:bucket/*', 'Downloads a file', READING),
  row('object.download_public', 'GET,HEAD /object/public/:bucket/*', 'Downloads as anybody', [
    ...FINDING,
    'bytesMissing',
    'invalidRange',
  ]),
  row('object.info', 'GET,HEAD /object/info/:bucket/*', 'Reads a file’s record', FINDING),
  row('object.info', 'GET,HEAD /object/info/authenticated/:bucket/*', 'Reads a record', FINDING),
  row('object.info', 'GET,HEAD /object/info/public/:bucket/*', 'Reads a record', FINDING),
  row('object.list', 'POST /object/list/:bucket', 'Lists files', [
    'bucketNotFound',
    'invalidParameter',
    ...JSON_BODY,
  ]),
  row('object.list', 'POST /object/list-v2/:bucket', 'Lists files', [
    'bucketNotFound',
    'invalidParameter',
    ...JSON_BODY,
  ]),
  row('object.move', 'POST /object/move', 'Moves a file', [
    ...FINDING,
    'invalidKey',
    'objectExists',
    'resourceExists',
    'rowRefused',
    ...JSON_BODY,
  ]),
  row(
    'object.copy',
    'POST /object/copy',
    'Copies a file',
    [...FINDING, 'bytesMissing', 'invalidKey', 'objectExists', 'rowRefused', 'diskFull'],
    WRITING,
  ),
  row('object.delete', 'DELETE /object/:bucket/*', 'Deletes a file', [
    ...FINDING,
    'accessDenied',
    'rowRefused',
  ]),
  row('object.delete_many', 'DELETE /object/:bucket', 'Deletes files', [
    'bucketNotFound',
    ...JSON_BODY,
  ]),
  row('object.sign', 'POST /object/sign/:bucket/*', 'Signs an address', [...FINDING, ...JSON_BODY]),
  row('object.sign', 'POST /object/sign/:bucket', 'Signs addresses', [...FINDING, ...JSON_BODY]),
  row('object.download_signed', 'GET,HEAD /object/sign/:bucket/*', 'Opens a signed address', [
    ...SIGNED,
    ...FINDING,
    'bytesMissing',
  ]),
  row('object.sign_upload', 'POST /object/upload/sign/:bucket/*', 'Signs an upload', [
    'rowRefused',
    'invalidKey',
    'bucketNotFound',
    'objectExists',
  ]),
  row(
    'object.upload_signed',
    'PUT /object/upload/sign/:bucket/*',
    'Uploads to a signed address',
    [...SIGNED, ...STORING],
    WRITING,
  ),
  ...['authenticated', 'public', 'sign'].map((kind) =>
    row(`picture.render_${kind}`, `GET,HEAD /render/image/${kind}/:bucket/*`, 'Renders a picture', [
      ...PICTURES,
      ...(kind === 'sign' ? SIGNED : []),
    ]),
  ),
  row('cdn.purge', 'DELETE /cdn/*', 'Purges a cache', ['bucketNotFound', 'roleRefused']),
  ...['/upload/resumable', '/upload/resumable/sign'].flatMap((folder) => [
    tus(
      folder.endsWith('sign') ? 'upload.create_signed' : 'upload.create',
      `POST ${folder}`,
      'Begins a resumable upload',
      [
        ...STORING.filter((code) => code !== 'unreadableBody'),
        ...(folder.endsWith('sign') ? SIGNED : []),
      ],
    ),
    tus(
      'upload.append',
      `PATCH ${folder}/*`,
      'Continues a resumable upload',
      ['objectNotFound', 'tooLarge', 'clientGone', 'locked', 'diskFull'],
      WRITING,
    ),
    tus('upload.status', `HEAD ${folder}/*`, 'Asks how far a resumable upload is', [
      'objectNotFound',
    ]),
    tus('upload.abandon', `DELETE ${folder}/*`, 'Abandons a resumable upload', [
      'objectNotFound',
      'locked',
    ]),
  ]),
  s3('s3.read', 'GET,HEAD /s3', 'Lists buckets over S3'),
  s3('s3.read', 'GET,HEAD /s3/*', 'Reads over S3'),
  s3(
    's3.write',
    'PUT,POST /s3/*',
    'Writes over S3',
    ['bucketExists', 'invalidKey', 'tooLarge', 'rowRefused', 'diskFull'],
    WRITING,
  ),
  s3('s3.delete', 'DELETE /s3/*', 'Deletes over S3', ['bucketNotEmpty']),
]
