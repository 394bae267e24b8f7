// Compares the answer of the replay with the recorded one: status, headers that clients read, and body.
import { parseJson } from '../../../core/json.ts'
import type { HarBody, HarField } from '../har/har.ts'
import { compareTexts } from './compare-texts.ts'
import { compareValues } from './compare-values.ts'
import type { Comparing } from './comparing.ts'
import type { Domain } from './correspondence.ts'
import { type Difference, difference } from './difference.ts'

/** An answer in the format of the recording. */
export interface ComparedAnswer {
  /** 0 when no answer arrived. */
  readonly status: number
  readonly headers: readonly HarField[]
  readonly content: HarBody
}

/**
 * Headers that clients of the platform read. Other headers belong to the connection, or to a server between client and platform.
 */
const COMPARED_HEADERS = [
  'accept-ranges',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'allow',
  'cache-control',
  'content-disposition',
  'content-location',
  'content-profile',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'preference-applied',
  'proxy-status',
  'range-unit',
  'retry-after',
  'tus-extension',
  'tus-max-size',
  'tus-resumable',
  'tus-version',
  'upload-expires',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'www-authenticate',
]

/** Returns the differences. When the statuses differ, nothing else is compared, because the bodies have other shapes. */
export function compareAnswers(
  recorded: ComparedAnswer,
  replayed: ComparedAnswer,
  comparing: Comparing,
): readonly Difference[] {
  if (recorded.status === 0 && replayed.status === 0) return []
  if (recorded.status !== replayed.status)
    return [difference('status', 'status', described(recorded), described(replayed))]
  return [
    ...compareHeaders(recorded.headers, replayed.headers, comparing),
    ...compareBodies(recorded.content, replayed.content, comparing),
  ]
}

// Shows the body of an error with its status, because the error's code is more precise.
function described({ content, status }: ComparedAnswer): string {
  if (status === 0) return 'no answer'
  const text = content.encoding === undefined ? (content.text ?? '') : ''
  return status < 400 || text === '' ? String(status) : `${status} ${text}`
}

function compareHeaders(
  recorded: readonly HarField[],
  replayed: readonly HarField[],
  comparing: Comparing,
): readonly Difference[] {
  return COMPARED_HEADERS.flatMap((name) => {
    const [value, found] = [headerOf(recorded, name), headerOf(replayed, name)]
    if (value === undefined && found === undefined) return []
    const at = `header ${name}`
    const isSame =
      value !== undefined &&
      found !== undefined &&
      compareTexts(value, found, { at, member: name }, comparing)
    return isSame ? [] : [difference('header', at, value, found)]
  })
}

function headerOf(fields: readonly HarField[], name: string): string | undefined {
  const values = fields.filter((field) => field.name.toLowerCase() === name)
  return values.length === 0 ? undefined : values.map(({ value }) => value.trim()).join(', ')
}

const BODY = { at: 'body', member: '' }

function compareBodies(
  recorded: HarBody,
  replayed: HarBody,
  comparing: Comparing,
): readonly Difference[] {
  if (recorded._kept !== undefined || replayed._kept !== undefined)
    return compareHashes(recorded, replayed, comparing)
  const [text, found] = [recorded.text ?? '', replayed.text ?? '']
  if (recorded.encoding !== replayed.encoding || recorded.encoding === 'base64')
    return text === found ? [] : [difference('value', 'body', bytesOf(recorded), bytesOf(replayed))]
  const [value, other] = [parseJson(text), parseJson(found)]
  if (value !== undefined && other !== undefined)
    return compareValues(value, other, BODY, comparing)
  return compareLines(text, found, comparing)
}

/**
 * The domain of hashes of bodies. When the recording does not have a body, the replay sends other bytes, so the hashes differ.
 */
export const BODIES: Domain = '#body'

// Compares size and hash, when one of the answers does not have the whole body.
function compareHashes(
  recorded: HarBody,
  replayed: HarBody,
  { pairs }: Comparing,
): readonly Difference[] {
  const { _sha256: hash = '' } = recorded
  const expected = pairs.replayedOf(BODIES, hash) ?? hash
  const isSame = recorded.size === replayed.size && expected === replayed._sha256
  return isSame ? [] : [difference('value', 'body', bytesOf(recorded), bytesOf(replayed))]
}

function bytesOf({ _sha256, encoding, size, text = '' }: HarBody): string {
  if (encoding === undefined && _sha256 === undefined) return text
  const hash =
    _sha256 === undefined ? ` beginning with ${text.slice(0, 40)}` : `, SHA-256 ${_sha256}`
  return `${size} bytes${hash}`
}

function compareLines(
  recorded: string,
  replayed: string,
  comparing: Comparing,
): readonly Difference[] {
  if (compareTexts(recorded, replayed, BODY, comparing)) return []
  const [lines, others] = [recorded.split('\n'), replayed.split('\n')]
  const index = lines.findIndex(
    (line, place) => !compareTexts(line, others[place] ?? '', BODY, comparing),
  )
  const line = index < 0 ? lines.length : index
  return [difference('value', `body line ${line + 1}`, lines[line], others[line])]
}
