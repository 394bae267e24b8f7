// Explains why sign-ins were refused, from the users and messages of the project. Examples are an unknown address, a link that
// was not opened, or a code that was not the newest one.
import { parseSchemaName, type SchemaName } from '../../../core/names.ts'
import { parseInstant, toIso } from '../../../core/time.ts'
import type { MessagePurpose } from '../../../platform/messages/message.ts'
import type { StoredMessage } from '../../../platform/messages/message-rows.ts'
import {
  bodyOf,
  broken,
  type ChainDeps,
  type Finding,
  type Findings,
  type RecordedRequest,
} from './recorded-request.ts'

/** The person that the body of an auth request names. */
interface Caller {
  readonly schemaName: SchemaName
  /** E-mail address or telephone number. */
  readonly address: string
}

type Finder = (
  deps: ChainDeps,
  caller: Caller,
  request: RecordedRequest,
) => Finding | Promise<Finding>

const FINDERS: Readonly<Record<string, Finder>> = {
  invalid_credentials: wrongCredentials,
  email_not_confirmed: unopenedLink,
  invalid_otp: wrongCode,
}

export async function authFindings(deps: ChainDeps, request: RecordedRequest): Promise<Findings> {
  const { project, entry } = request
  const find = FINDERS[entry.error_code ?? '']
  const { email, phone } = bodyOf(request) ?? {}
  const address = email ?? phone
  const schemaName = parseSchemaName(project?.schemaName ?? '')
  if (find === undefined || typeof address !== 'string' || schemaName === undefined) return {}
  if (project?.state !== 'active') return {}
  return { claims: await find(deps, { schemaName, address }, request) }
}

async function wrongCredentials(
  { users }: ChainDeps,
  { schemaName, address }: Caller,
): Promise<Finding> {
  const user = await users.find(schemaName, address)
  return user === undefined
    ? broken(
        'no such user',
        `The project ${schemaName} has no user ${address}: each project has its own users.`,
      )
    : broken(
        'wrong password',
        `The user ${address} exists in ${schemaName}: the password is wrong, or the user has no password.`,
      )
}

function unopenedLink(deps: ChainDeps, caller: Caller, request: RecordedRequest): Finding {
  const message = newestMessage(deps, caller, request, 'confirmation')
  const title = 'the address is not confirmed'
  if (message === undefined)
    return broken(
      title,
      `The project requires confirmed e-mail addresses. The mailbox has no confirmation link for ${caller.address}.`,
    )
  return broken(
    title,
    `The project requires confirmed e-mail addresses. The confirmation link that was sent to ${caller.address} at ${toIso(message.sentAt)} had not been opened.`,
    factsOf(message),
  )
}

function wrongCode(deps: ChainDeps, caller: Caller, request: RecordedRequest): Finding {
  const message = newestMessage(deps, caller, request, 'one_time_code')
  if (message === undefined)
    return broken('no code', `The mailbox has no code for ${caller.address}.`)
  const sent = `The newest code for ${caller.address} was sent at ${toIso(message.sentAt)}`
  return bodyOf(request)?.['code'] === message.code
    ? broken(
        'the code is not valid any more',
        `${sent}. The request has this code, which was already used, older than 10 minutes, or locked after five wrong attempts.`,
        factsOf(message),
      )
    : broken('another code', `${sent}. The request has another code.`, factsOf(message))
}

// Leaves out messages that were sent after the request, because they cannot explain its refusal.
function newestMessage(
  { mailbox }: ChainDeps,
  { schemaName, address }: Caller,
  { entry }: RecordedRequest,
  purpose: MessagePurpose,
): StoredMessage | undefined {
  const receivedAt = parseInstant(entry.received_at) ?? 0
  return mailbox
    .list({ schemaName, recipient: address, purpose }, MAX_MESSAGES)
    .find(({ sentAt }) => sentAt <= receivedAt)
}

const MAX_MESSAGES = 20

function factsOf({ id, sentAt }: StoredMessage): Readonly<Record<string, string>> {
  return { message: String(id), sent_at: toIso(sentAt) }
}
