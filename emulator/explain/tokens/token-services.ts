// Where a credential may be presented, and as whom (docs/wire/credentials.md#kinds). Pure.
import type { TokenExplanation } from '../../contract/tokens.ts'
import type { Examined } from './examined.ts'
import type { TokenKind } from './token-text.ts'

type ServiceVerdict = TokenExplanation['services'][number]
type ServiceName = ServiceVerdict['service']

/** What a service makes of a kind: `yes` of a sound one, or `no` whatever its state. */
type Rule = { readonly yes: string } | { readonly no: string }

/** One verdict per service. `BEARER` in a rule becomes whom the credential stands for. */
export function servicesFor(
  kind: TokenKind,
  { flaw, bearer, project }: Examined,
): ServiceVerdict[] {
  return SERVICES.map((service) => {
    const rule = RULES[service][kind] ?? OTHERWISE[service]
    if ('no' in rule) return { service, accepted: false, sentence: rule.no }
    if (flaw !== undefined)
      return { service, accepted: false, sentence: `${REFUSALS[service]} ${flaw.sentence}` }
    const sentence = rule.yes
      .replace('BEARER', bearer)
      .replace('PROJECT', project?.schemaName ?? 'its project')
    return { service, accepted: true, sentence }
  })
}

const SERVICES = ['rest', 'auth', 'storage', 'realtime', 'groups', 'platform'] as const

const REFUSALS: Readonly<Record<ServiceName, string>> = {
  rest: 'Refused with 401.',
  auth: 'Refused with 401.',
  storage: 'Not accepted; where a bucket is public, its bearer reads as nobody would.',
  realtime: 'Refused: the socket is not opened, or its channels are closed.',
  groups: 'Refused with 401.',
  platform: 'Refused with 401.',
}

const OTHERWISE: Readonly<Record<ServiceName, Rule>> = {
  rest: { no: 'REST takes the project’s keys and its users’ data_plane_tokens.' },
  auth: { no: 'Auth routes take an access_token in Authorization and a project key in apikey.' },
  storage: { no: 'Storage takes the tokens of POST /st/v1/token and those of signed URLs.' },
  realtime: { no: 'Realtime takes the tokens of POST /rt/v1/token.' },
  groups: { no: 'Group routes take a Group API Key.' },
  platform: {
    no: 'Platform routes take the dashboard’s session token; db/exec takes management keys, too.',
  },
}

const EXCHANGE_STORAGE: Rule = {
  no: 'Not directly (401): exchange it at POST /st/v1/token and send the token of the answer.',
}
const EXCHANGE_REALTIME: Rule = {
  no: 'Not directly: exchange it at POST /rt/v1/token and open the socket with the token of the answer.',
}
const NOT_PASETO =
  'An access_token is PASETO and opens the auth routes only: send the same session’s data_plane_token.'

const RULES: Readonly<Record<ServiceName, Readonly<Partial<Record<TokenKind, Rule>>>>> = {
  rest: {
    anon_key: {
      yes: 'In apikey and in Authorization: acts as the role anon in PROJECT, under its policies.',
    },
    service_role_key: {
      yes: 'In apikey and in Authorization: acts as service_role in PROJECT, which no policy binds.',
    },
    data_plane_token: {
      yes: 'In Authorization, beside a project key in apikey: acts as BEARER, role authenticated, in PROJECT.',
    },
    session_token: { no: NOT_PASETO },
    storage_token: {
      no: 'A storage token opens storage only: send the key or data_plane_token it was exchanged for.',
    },
    realtime_token: {
      no: 'A realtime token opens realtime only: send the key or data_plane_token it was exchanged for.',
    },
  },
  auth: {
    anon_key: { yes: 'In apikey: says that the request is about PROJECT.' },
    service_role_key: {
      yes: 'In apikey: says that the request is about PROJECT. Never in a page.',
    },
    data_plane_token: {
      no: 'Auth routes take the session’s access_token, not its data_plane_token.',
    },
    session_token: { yes: 'In Authorization: acts as BEARER on their own account in PROJECT.' },
  },
  storage: {
    anon_key: EXCHANGE_STORAGE,
    service_role_key: EXCHANGE_STORAGE,
    data_plane_token: EXCHANGE_STORAGE,
    session_token: { no: NOT_PASETO },
    storage_token: { yes: 'In Authorization: acts as BEARER in the buckets of PROJECT.' },
    signed_url_token: {
      yes: 'In the query as token: opens exactly the object it names, for BEARER.',
    },
  },
  realtime: {
    anon_key: EXCHANGE_REALTIME,
    service_role_key: EXCHANGE_REALTIME,
    data_plane_token: EXCHANGE_REALTIME,
    session_token: { no: NOT_PASETO },
    realtime_token: {
      yes: 'As the socket’s apikey: acts as BEARER; changes are judged by PROJECT’s policies.',
    },
  },
  groups: {
    group_api_key: { yes: 'In Authorization: acts for BEARER and its tenants. Never in a page.' },
  },
  platform: {
    platform_session: { yes: 'In Authorization: acts for BEARER, its groups and projects.' },
    management_key: { yes: 'In Authorization of db/exec and the connection string of PROJECT.' },
  },
}
