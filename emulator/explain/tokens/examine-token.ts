// Whether a credential holds, asked of the very readers that the services use, and why not in words that help.
import { examineGroupKey, examineManagementKey, examineUrlToken } from './examine-key.ts'
import { examineOwner, examineSession } from './examine-session.ts'
import { examineSigned } from './examine-signed.ts'
import { type Examination, type ExamineDeps, type Examined, examined } from './examined.ts'
import { type Flaw, flawed } from './flaw.ts'
import { signatureOf } from './signature.ts'
import { expiryOf } from './token-state.ts'
import type { TokenText } from './token-text.ts'

/** Examines a credential of a known kind; what is none of ours is examined as far as it can be. */
export function examineToken(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  return EXAMINATIONS[token.kind](deps, token)
}

const EXAMINATIONS: Readonly<Record<TokenText['kind'], Examination>> = {
  anon_key: examineSigned,
  service_role_key: examineSigned,
  data_plane_token: examineSigned,
  storage_token: examineSigned,
  realtime_token: examineSigned,
  session_token: examineSession,
  platform_session: examineOwner,
  group_api_key: examineGroupKey,
  management_key: examineManagementKey,
  signed_url_token: examineUrlToken,
  admin_token: async () => examined('not_signed', undefined, 'whoever runs this emulator'),
  unknown: async (deps, token) => ({
    ...examined(await signatureOf(deps.signingKeys, token), unknownFlaw(token), 'nobody'),
    expiresAt: expiryOf(token.claims),
  }),
}

function unknownFlaw(token: TokenText): Flaw {
  return flawed('credential', unknownSentence(token))
}

function unknownSentence({ form, claims, header }: TokenText): string {
  if (form === 'paseto')
    return 'It is PASETO, and not a session of this platform: its claims do not say which kind it is.'
  if (form === 'jwt')
    return `It is a JWT (${String(header?.['alg'])}), and no credential of this platform: its claims (${Object.keys(claims ?? {}).join(', ') || 'none'}) are those of another service.`
  return 'It is no key or token of this platform. Opaque secrets such as refresh tokens, links and one-time codes cannot be told apart by looking at them: present them to the route they were made for.'
}
