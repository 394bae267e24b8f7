// Reads a recording of `tenantry record`.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { HTTP_TOKEN } from '../../../contract/recording.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { parseJson } from '../../../core/json.ts'
import { whyUnreadable } from '../../../core/named-files.ts'
import { type Har, PLANES } from './har.ts'

export class HarError extends EmulatorError {
  override readonly code: 'unreadable' | 'no_recording'

  constructor(code: HarError['code'], message: string, hint?: string) {
    super(message, hint === undefined ? {} : { hint })
    this.code = code
  }
}

const Field = z.object({ name: z.string(), value: z.string() })
// Node refuses to send texts with other characters. Placeholders of secrets have only these characters.
const Token = z.string().regex(HTTP_TOKEN)
const Sendable = z.string().regex(/^[!-\u{ff}]+$/u)
const SentField = z.object({ name: Token, value: z.string().regex(/^[\t -~\u{80}-\u{ff}]*$/u) })
const Frame = z.looseObject({
  type: z.enum(['send', 'receive']),
  opcode: z.literal([1, 2]),
  data: z.string(),
  _order: z.number(),
})
const Entry = z
  .looseObject({
    startedDateTime: z.string(),
    time: z.number(),
    request: z.looseObject({ method: Token, url: Sendable, headers: z.array(SentField) }),
    response: z.looseObject({
      status: z.number(),
      headers: z.array(Field),
      content: z.looseObject({ mimeType: z.string(), size: z.number() }),
    }),
    _order: z.number(),
    _ended: z.number(),
    _plane: z.enum(PLANES),
    _base: z.url(),
    _webSocketMessages: z.array(Frame).optional(),
  })
  .refine(continuesBase, 'request.url must continue _base')

// A URL outside `_base` would make a replay send credentials of this emulator to another host.
function continuesBase({
  _base,
  request: { url },
}: {
  readonly _base: string
  readonly request: { readonly url: string }
}): boolean {
  const plain = url.replace(/^ws/, 'http')
  return plain.startsWith(_base) && /^(?:[/?#]|$)/.test(plain.slice(_base.length))
}

/** The members of a recording that a replay needs. */
const Recording = z.looseObject({
  log: z.looseObject({
    _tenantry: z.looseObject({ format: z.literal(1), maxBodyBytes: z.number() }),
    entries: z.array(Entry),
  }),
})

/** @throws {HarError} when the file cannot be read, or another program wrote it */
export function readHar(path: string): Har {
  try {
    return parseHar(readFileSync(path, 'utf8'), path)
  } catch (error) {
    if (error instanceof HarError) throw error
    throw new HarError('unreadable', whyUnreadable(path, error), HINT)
  }
}

/**
 * @param name name of the file, for errors
 * @throws {HarError} when another program wrote the text, or the text contains no request
 */
export function parseHar(text: string, name: string): Har {
  const value = parseJson(text)
  if (value === undefined) throw new HarError('no_recording', `${name} is not JSON.`, HINT)
  const read = Recording.safeParse(value)
  // The schema checks what a replay reads. The other members are as the recorder wrote them.
  if (read.success && read.data.log.entries.length > 0) return read.data as unknown as Har
  if (read.success) throw new HarError('no_recording', `${name} contains no request.`, EMPTY_HINT)
  const [issue] = read.error.issues
  throw new HarError(
    'no_recording',
    `${name} is not a recording of "tenantry record": ${issue?.path.join('.')}: ${issue?.message}.`,
    HINT,
  )
}

const EMPTY_HINT =
  'Record again. The command must send its requests to the addresses in its environment.'
const HINT = 'Give a file that "tenantry record" wrote.'
