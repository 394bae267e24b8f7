// Lists which services accept a credential, and in which role (docs/wire/credentials.md#kinds). Pure.
import type { TokenExplanation } from '../../../contract/tokens.ts'
import type { Examined } from './examined.ts'
import type { TokenKind } from './token-text.ts'

type ServiceVerdict = TokenExplanation['services'][number]
type ServiceName = ServiceVerdict['service']

/**
 * How a service treats a kind of credential: `yes` when it accepts valid ones, `no` when it refuses all. The text is the sentence
 * for the user.
 */
type Rule = { readonly yes: string } | { readonly no: string }

/** Returns one verdict per service. Replaces `BEARER` and `PROJECT` in the rule's text. */
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
  storage: 'Not accepted. Public buckets can still be read anonymously.',
  realtime: 'Refused. The socket does not open, or its channels are closed.',
  groups: 'Refused with 401.',
  platform: 'Refused with 401.',
}

const OTHERWISE: Readonly<Record<ServiceName, Rule>> = {
  rest: { no: 'REST accepts the project’s keys and its users’ data_plane_tokens.' },
  auth: { no: 'Auth routes accept an access_token in Authorization and a project key in apikey.' },
  storage: { no: 'Storage accepts tokens of POST /st/v1/token and of signed URLs.' },
  realtime: { no: 'Realtime accepts tokens of POST /rt/v1/token.' },
  groups: { no: 'Group routes accept a Group API Key.' },
  platform: {
    no: 'Platform routes accept the dashboard’s session token. db/exec also accepts management keys.',
  },
}

const EXCHANGE_STORAGE: Rule = {
  no: 'Refused with 401. Exchange the credential at POST /st/v1/token and send the token of the answer.',
}
const EXCHANGE_REALTIME: Rule = {
  no: 'Refused. Exchange the credential at POST /rt/v1/token and open the socket with the token of the answer.',
}
const NOT_PASETO =
  'An access_token is a PASETO for auth routes only. Send the data_plane_token of the same session.'

const RULES: Readonly<Record<ServiceName, Readonly<Partial<Record<TokenKind, Rule>>>>> = {
  rest: {
    anon_key: {
      yes: 'Accepted in apikey and in Authorization. The key acts as the role anon in PROJECT, under its policies.',
    },
    service_role_key: {
      yes: 'Accepted in apikey and in Authorization. The key acts as service_role in PROJECT, to which no policy applies.',
    },
    data_plane_token: {
      yes: 'Accepted in Authorization, with a project key in apikey. The token acts as BEARER, role authenticated, in PROJECT.',
    },
    session_token: { no: NOT_PASETO },
    storage_token: {
      no: 'A storage token is for storage only. Send the key or data_plane_token for which you received it.',
    },
    realtime_token: {
      no: 'A realtime token is for realtime only. Send the key or data_plane_token for which you received it.',
    },
  },
  auth: {
    anon_key: { yes: 'Accepted in apikey. The key selects the project PROJECT.' },
    service_role_key: {
      yes: 'Accepted in apikey. The key selects the project PROJECT. Never use this key in a page.',
    },
    data_plane_token: {
      no: 'Auth routes accept the access_token of a session, not the data_plane_token.',
    },
    session_token: {
      yes: 'Accepted in Authorization. The token acts as BEARER on their own account in PROJECT.',
    },
  },
  storage: {
    anon_key: EXCHANGE_STORAGE,
    service_role_key: EXCHANGE_STORAGE,
    data_plane_token: EXCHANGE_STORAGE,
    session_token: { no: NOT_PASETO },
    storage_token: {
      yes: 'Accepted in Authorization. The token has the rights of BEARER in the buckets of PROJECT.',
    },
    signed_url_token: {
      yes: 'Accepted in the query as token. The token gives BEARER access to that object.',
    },
  },
  realtime: {
    anon_key: EXCHANGE_REALTIME,
    service_role_key: EXCHANGE_REALTIME,
    data_plane_token: EXCHANGE_REALTIME,
    session_token: { no: NOT_PASETO },
    realtime_token: {
      yes: 'Accepted as the socket’s apikey. The token has the rights of BEARER, who receives the changes that PROJECT’s policies allow.',
    },
  },
  groups: {
    group_api_key: {
      yes: 'Accepted in Authorization. The key manages BEARER and its tenants. Never use this key in a page.',
    },
  },
  platform: {
    platform_session: {
      yes: 'Accepted in Authorization. The session manages BEARER with its groups and projects.',
    },
    management_key: {
      yes: 'Accepted in Authorization of db/exec and of the connection string of PROJECT.',
    },
  },
}
