// Tools for credentials: mints one, and explains which services accept a given one.
import { z } from 'zod'
import { MINTED_KINDS, ROLES } from '../../../contract/choices.ts'
import { Tenant } from '../inputs.ts'
import { defineTool, type Tool } from '../tool.ts'

export const mintToken: Tool = defineTool({
  name: 'mint_token',
  title: 'Mint a token',
  description:
    'Mints a credential of a tenant without a sign-in, for requests and tests: anon_key and service_role_key for the header apikey, data_plane_token for Authorization. The answer contains the secret.',
  input: z.strictObject({
    tenant: Tenant,
    kind: z.enum(MINTED_KINDS).default('data_plane_token'),
    role: z.enum(ROLES).optional().describe('Default: authenticated with "user"'),
    user: z.string().optional().describe('E-mail address or id of a user'),
    expires_in: z
      .number()
      .int()
      .optional()
      .describe('Seconds from now; negative for an expired one'),
  }),
  changes: 'never',
  run: async ({ calls }, { expires_in, kind, role, tenant, user }) => {
    const acting = role ?? (user === undefined ? undefined : 'authenticated')
    const { claims, expires_at, token } = await calls.call('POST /tokens/mint', {
      body: {
        project: tenant,
        kind,
        ...(acting === undefined ? {} : { role: acting }),
        ...(user === undefined ? {} : { user }),
        ...(expires_in === undefined ? {} : { expires_in }),
      },
    })
    const worth = expires_at === null ? 'It does not expire.' : `It expires at ${expires_at}.`
    const subject = typeof claims['sub'] === 'string' ? ` for ${claims['sub']}` : ''
    return { entries: [token], tail: `The ${kind} of ${tenant}${subject}. ${worth}` }
  },
})

export const explainToken: Tool = defineTool({
  name: 'explain_token',
  title: 'Explain a token',
  description:
    'Says what a credential is, whether it is valid, when it expires, and which services accept it. The answer does not repeat the secret.',
  input: z.strictObject({ token: z.string() }),
  changes: 'never',
  run: async ({ calls }, { token }) => {
    const found = await calls.call('POST /tokens/explain', { body: { token } })
    const project =
      found.project === null ? '' : ` of ${found.project.slug} (${found.project.state})`
    return {
      entries: [
        `${found.kind}${project}: ${found.sentence}`,
        `signature ${found.signature}, expires ${found.expires_at ?? 'never'}, now ${found.now}`,
        ...(found.claims === null ? [] : [`claims ${JSON.stringify(found.claims)}`]),
        ...found.services.map(
          ({ accepted, sentence, service }) =>
            `${service} ${accepted ? 'accepts' : 'refuses'} it: ${sentence}`,
        ),
      ],
    }
  },
})
