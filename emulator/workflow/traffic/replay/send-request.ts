// Sends one request of the replay. Returns its answer in the format of the recording.
import { AnswerError } from '../../../platform/http-client/answer-error.ts'
import { sendRaw } from '../../../platform/http-client/raw-request.ts'
import { requireSimple } from '../../../platform/http-client/read-json.ts'
import type { ComparedAnswer } from '../compare/compare-answers.ts'
import type { HarField, Plane } from '../har/har.ts'
import { BodyCopy } from '../record/body-copy.ts'
import type { ReplayPlatform } from './platform.ts'
import type { ReplayedRequest } from './translate-request.ts'

/**
 * Sends a request to a plane of the platform. An answer with the status 0 means that no answer arrived within the limits.
 * @param maxBodyBytes the number of bytes that the recording keeps of a body
 */
export async function sendRequest(
  { bases, http }: Pick<ReplayPlatform, 'bases' | 'http'>,
  plane: Plane,
  request: ReplayedRequest,
  maxBodyBytes: number,
): Promise<ComparedAnswer> {
  const base = new URL(bases[plane])
  const copy = new BodyCopy(maxBodyBytes)
  try {
    const answer = await sendRaw(http, { base, ...request }, (head) => copy.listenTo(head))
    const { 'content-encoding': coding, 'content-type': type = '' } = answer.headers
    const content = copy.received(type, coding)
    requireSimple(base.origin, content.text ?? '')
    return { status: answer.statusCode ?? 0, headers: fieldsOf(answer.rawHeaders), content }
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error
    return noAnswer(error)
  }
}

function noAnswer({ message }: Error): ComparedAnswer {
  return { status: 0, headers: [], content: { mimeType: 'text/plain', text: message, size: 0 } }
}

export function fieldsOf(raw: readonly string[]): readonly HarField[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [{ name, value: raw[index + 1] ?? '' }] : [],
  )
}
